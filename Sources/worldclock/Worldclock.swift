import ArgumentParser

@main
struct Worldclock: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "What time it is in the zones of a country, from a database that was shipped with the program.",
    subcommands: [Show.self, Watch.self, Notes.self], defaultSubcommand: Show.self)
}
