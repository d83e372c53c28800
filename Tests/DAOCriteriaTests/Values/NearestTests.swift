import DAOCriteria
import Testing

@Suite("The name that was meant")
struct NearestTests {
  @Test(
    "a slip is recognised, another word is not",
    arguments: [
      ("standardOfset", "standardOffset"), ("NAME", "name"), ("nmae", "name"), ("nam", "name"), ("q", nil), ("somethingElse", nil),
    ] as [(String, String?)])
  func nearest(_ wrong: String, _ meant: String?) {
    #expect(Nearest.name(to: wrong, among: ["name", "standardOffset", "id"]) == meant)
  }

  @Test("among no names there is none") func none() { #expect(Nearest.name(to: "x", among: []) == nil) }
}
