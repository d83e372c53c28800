import WorldclockFixture

GenerateWorldclock.main()
