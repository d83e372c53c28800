import DAOCriteria
import Testing

@Suite("The name that was meant")
struct NearestTests {
  @Test(
    arguments: [
      ("standardOfset", "standardOffset"), ("NAME", "name"), ("nmae", "name"), ("nam", "name"), ("q", nil), ("somethingElse", nil),
    ] as [(String, String?)])
  func `a slip is recognised, another word is not`(_ wrong: String, _ meant: String?) {
    #expect(Nearest.name(to: wrong, among: ["name", "standardOffset", "id"]) == meant)
  }

  @Test func `among no names there is none`() { #expect(Nearest.name(to: "x", among: []) == nil) }

  @Test func `a name of one character with many marks costs no more than its length`() {
    let marked = "nam" + "e" + String(repeating: "\u{301}", count: 500_000)
    let names = (0..<200).map { "name\($0)" }
    let start = ContinuousClock.now
    #expect(Nearest.name(to: marked, among: names) == nil)
    // Comparing the marks with each letter of each name would take minutes.
    #expect(start.duration(to: .now) < .seconds(20))
  }
}
