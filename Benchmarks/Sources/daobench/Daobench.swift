import ArgumentParser
import Foundation

@main
struct Daobench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures DAOKit beside a hand-written C loop and GRDB, all in one run.",
    discussion: "A progress line for each workload goes to standard error, the result to standard output. Build with -c release.")

  @Flag(help: "Print one JSON array instead of a table.")
  var json = false

  @Option(help: "Run this workload alone, with its variants.")
  var only: String?

  @Flag(help: "Fewer rounds: under a minute in all, for the checks that all rivals produce equal data.")
  var quick = false

  @Flag(help: "Exit with status 1 where a ratio is missed, and name it.")
  var check = false

  @Option(help: "Run this rival alone for a few seconds and print nothing: for a profiler.")
  var profile: Rival?

  func validate() throws {
    if let only, chosen.isEmpty {
      throw ValidationError("There is no workload \(only). There are: \(Workload.all.map(\.name).joined(separator: ", ")).")
    }
  }

  /// The workloads that are to run.
  private var chosen: [Workload] {
    guard let only else { return Workload.all }
    return Workload.all.filter { $0.name == only || $0.name.hasPrefix("\(only) (") }
  }

  func run() async throws {
    let runner = Runner(rounds: quick ? 1 : 9, repeats: quick ? 0 : 5, stage: try Stage(isQuick: quick))
    if let profile {
      for workload in chosen { try await runner.profile(workload, profile) }
      return
    }
    var measurements: [Measurement] = []
    for (index, workload) in chosen.enumerated() {
      let measurement = try await runner.run(workload)
      measurements.append(measurement)
      Progress.say("[\(index + 1)/\(chosen.count)] \(measurement.summary)")
    }
    print(json ? try measurements.json : measurements.table)

    let failures = measurements.compactMap(\.failure)
    for failure in failures where check { Progress.say("MISSED \(failure)") }
    if check, !failures.isEmpty { throw ExitCode(1) }
  }
}

extension Rival: ExpressibleByArgument {}
