import ArgumentParser
import DAOKit
import Foundation

/// Shows the clocks of a country, a page of all zones, a report and the user's notes.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The time in the zones of a country, a page of all zones, a report, and your notes. This is what runs without a subcommand.")

  @Argument(help: "The country's ISO 3166 code.") var country = "ES"
  @Option(help: "The page of all zones to list.") var page = 1
  @Option(help: "Give a zone a comment of your own: America/Vancouver=home") var comment: String?
  @Flag(help: "Delete the store first, with its notes.") var reset = false
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if page < 1 { throw ValidationError("Pages count from 1.") }
    if let comment, !comment.contains("=") { throw ValidationError("--comment needs a zone and a text: America/Vancouver=home") }
  }

  func run() throws {
    if reset { try store.description().destroy() }
    let factory = try store.open()
    if let report = factory.report { print(report) }
    try writeComment(factory)

    try printClocks(factory)
    try printPage(factory)
    try printReport(factory)
    try printNotes(factory)
  }

  /// An edit of a row that was shipped, in a unit of work: it outlasts the next release's data.
  private func writeComment(_ factory: DAOFactory) throws {
    guard let comment, let equals = comment.firstIndex(of: "=") else { return }
    let name = String(comment[..<equals])
    let work = try factory.unitOfWork()
    let zones = work.dao(ZoneDAO.init)
    guard var zone = try zones.findFirst(.where(\.name == name)) else { throw ValidationError("There is no zone \(name).") }
    zone.comment = String(comment[comment.index(after: equals)...])
    try zones.update(zone)
    // The unit answers as if the edit were stored; the store has it with the commit.
    let commented = try zones.count(.where(\.comment != nil))
    try work.commit()
    print("\nYour comment on \(zone.name): \(zone.comment ?? "") (\(commented) zones have one)")
  }

  /// A custom DAO answers, and one snapshot holds all of it together.
  private func printClocks(_ factory: DAOFactory) throws {
    let code = country.uppercased()
    let now = Date()
    try factory.read { session in
      print("\nZones of \(try session.runtimeDAO(Country.self).find(code).name)")
      let zones = session.dao(ZoneDAO.init)
      for zone in try zones.zones(of: code) {
        let clock = try zones.clock(of: zone, at: now)
        let change = clock.next.map { "changes \(Text.date($0.instant)) to \($0.abbreviation)" } ?? "changes no more"
        let others = try zone.countries.get().filter { $0.code != code }.map(\.name).sorted()
        let shared =
          others.isEmpty ? "" : ", shared with \(others.count > 3 ? "\(others.count) countries" : others.joined(separator: ", "))"
        print("  \(Text.column(zone.name, 32)) \(Text.time(now, clock.offset))  \(Text.offset(clock.offset))  \(change)\(shared)")
      }
    }
  }

  /// Page by page, in an order that is the same each time: it ends in the key.
  private func printPage(_ factory: DAOFactory) throws {
    let zones = factory.dao(ZoneDAO.init)
    let list = try zones.page(
      SearchCriteria().order(by: .ascending(\.standardOffset), .ascending(\.name)), number: page, size: 5, total: .exact)
    print("\nAll zones from west to east, page \(page) of \(((list.total ?? 0) + 4) / 5)")
    for zone in list.items {
      print("  \(Text.column(zone.name, 32)) \(Text.offset(zone.standardOffset))  \(zone.comment ?? "")")
    }
    if list.hasNext { print("  … more with --page \(page + 1)") }
  }

  /// A report reads projected values only: no zone is loaded.
  private func printReport(_ factory: DAOFactory) throws {
    print("\nCountries with the most zones")
    let rows = try factory.runtimeDAO(CountryZone.self).project(
      .group(by: \.country), .count, .min(\.standardOffset), .max(\.standardOffset),
      matching: SearchCriteria().order(by: .descending(.count), .ascending(\.country)).limit(5))
    for (country, count, low, high) in rows {
      print("  \(Text.column(country, 32)) \(count) zones from \(Text.offset(low ?? 0)) to \(Text.offset(high ?? 0))")
    }
  }

  /// Sessions commit whole or not at all.
  private func printNotes(_ factory: DAOFactory) throws {
    struct Regret: Error {}
    let notes = factory.runtimeDAO(Note.self)
    print("\nYour notes")
    for note in try notes.findAll(SearchCriteria().order(by: \.created).prefetch(\.zone)) {
      print("  \(Text.date(note.created))  \(note.text) (\(Text.offset(try note.zone.get().standardOffset)))")
    }

    try factory.write { session in
      guard let zone = try session.dao(ZoneDAO.init).zones(of: country.uppercased()).first, let id = zone.id else { return }
      let note = Note(id: UUID(), zone: Reference(id), text: "looked at \(zone.name)", created: Date())
      try session.runtimeDAO(Note.self).insert(note)
      print("  added: \(note.text)")
    }
    do {
      try factory.write { session in
        try session.runtimeDAO(Note.self).delete(.all, allowUnfiltered: true)
        throw Regret()
      }
    } catch is Regret {
      print("  deleted all, and rolled back: there are \(try notes.count())")
    }
  }
}
