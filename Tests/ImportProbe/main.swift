import DAOImport
import DAOKit
import Foundation

// Imports a feed in batches of ten, with a mark, and says how many records are stored after each:
//
//   import-probe FEED STORE [BYTES]
//
// With BYTES no file may be larger: a write beyond that fails, as on a full disk. An error is said, and ends the process with status 3.
//
// A FEED that ends in .sqlite is a Core Data store, which is imported once: each thousandth row is said, and how many bytes of memory it
// took.
let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  print("import-probe FEED STORE [BYTES]")
  exit(2)
}
/// Says a line at once, to the process that reads it.
@Sendable func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

if arguments.count > 3, let bytes = UInt64(arguments[3]) {
  signal(SIGXFSZ, SIG_IGN)
  #if canImport(Darwin)
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    setrlimit(RLIMIT_FSIZE, &limit)
  #else
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
  #endif
}
let article = EntityDescription(
  "article", key: .generated("id"),
  attributes: [
    Attribute("id", .integer, mapping: .excluded), Attribute("number", .integer), Attribute("text", .text),
    Attribute("next", .integer, optional: true),
  ],
  indexes: [Index(on: "number", unique: true)], relationships: [.toOne("next", next(), by: "next")], identity: ["number"])

/// The same entity, for its relationship.
@Sendable func next() -> EntityDescription {
  EntityDescription(
    "article", key: .generated("id"), attributes: [Attribute("id", .integer, mapping: .excluded), Attribute("number", .integer)],
    identity: ["number"])
}

/// The most memory that the process has had, in bytes.
func peakMemory() -> Int {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
  #elseif canImport(Glibc)
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss * 1024
  #else
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss * 1024
  #endif
}

/// Imports the articles of a Core Data store.
func move(_ url: URL, to factory: DAOFactory) async throws {
  let old = try CoreDataStore(url)
  var mapping = ImportMapping<DynamicEntity>()
  mapping.after { _, record in
    if let number = record["z_pk"]?.integer, number.isMultiple(of: 1000) { say("stored \(number)") }
  }
  let before = peakMemory()
  let report = try await old.import(into: factory, [.entity(describedBy: article, from: "CDArticle", mapping)], once: "Core Data")
  say("memory \(peakMemory() - before)")
  say(report.isRepeated ? "repeated" : "complete")
}

do {
  let factory = try DAOFactory(
    store: .file(URL(fileURLWithPath: arguments[2])), describedBy: [article, ImportMark.entityDescription])
  let url = URL(fileURLWithPath: arguments[1])
  if url.pathExtension == "sqlite" {
    try await move(url, to: factory)
    exit(0)
  }
  let feed = ImportSource.jsonLines(url)
  for try await report in factory.runtimeDAO(article).importing(feed, options: ImportOptions(batch: 10, mark: "feed")) {
    say("stored \(report.records)")
  }
  say("complete")
} catch {
  say("failed \(error)")
  exit(3)
}
