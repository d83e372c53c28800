import ArgumentParser
import DAOKit
import Dispatch
import Foundation

/// Follows the zones of a country, whoever changes them.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The zones of a country by their offsets, and each change of them, from another process too, until Ctrl-C.")

  @Argument(help: "The country's ISO 3166 code.") var country = "ES"
  @OptionGroup var store: StoreOptions

  func run() async throws {
    let factory = try store.open()
    let code = country.uppercased()
    let zones = SearchCriteria<Zone>.where(.any(\.countries, \.code == code)).order(by: \.standardOffset, \.name)
    let following = Task {
      var last: FetchedResults<Zone>?
      for try await list in factory.dao(ZoneDAO.init).fetchedResults(zones, sections: \.standardOffset) {
        show(list, after: last)
        last = list
      }
    }
    let interrupt = Self.onInterrupt { following.cancel() }
    defer { interrupt.cancel() }
    try await following.value
    print("ended")
  }

  private func show(_ list: FetchedResults<Zone>, after last: FetchedResults<Zone>?) {
    guard let changes = list.changes, let last else {
      print("\(list.count) zone\(list.count == 1 ? "" : "s") of \(country.uppercased()); Ctrl-C ends")
      for section in list.sections { show(section, " ") }
      return Self.flush()
    }
    for number in changes.deletedSections { show(last.sections[number], "-") }
    for path in changes.deleted { show(last[path], "-") }
    for number in changes.insertedSections { show(list.sections[number], "+") }
    for path in changes.inserted { show(list[path], "+") }
    for path in changes.moved.map(\.to) + changes.updated { show(list[path], "~") }
    Self.flush()
  }

  private func show(_ section: FetchedSection<Zone>, _ sign: String) {
    print("\(sign) \(Text.offset(section.rows.first?.standardOffset ?? 0))")
    for zone in section.rows { show(zone, sign) }
  }

  private func show(_ zone: Zone, _ sign: String) { print("\(sign)   \(Text.column(zone.name, 32)) \(zone.comment ?? "")") }

  /// A reader of a pipe sees each list at once.
  private static func flush() { fflush(nil) }

  /// Calls a closure with Ctrl-C, which ends the process no more.
  private static func onInterrupt(_ perform: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler(handler: perform)
    source.resume()
    return source
  }
}
