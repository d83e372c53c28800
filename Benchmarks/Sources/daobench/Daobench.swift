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

  @Flag(help: "Exit with status 1 where a limit is missed or there is doubt, and name the workload.")
  var check = false

  @Option(help: "Run this rival alone for a few seconds and print nothing: for a profiler.")
  var profile: Rival?

  func validate() throws {
    if profile != nil, json || check { throw ValidationError("--profile measures nothing, so there is nothing to print or to check.") }
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
    let runner = Runner(isQuick: quick, stage: try Stage(isQuick: quick))
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

    for note in measurements.compactMap(\.note) { Progress.say("NOTE \(note)") }
    guard check else { return }
    let failures = measurements.flatMap(\.failures)
    // A quick run has one round, too few to be free of doubt.
    let undecided = quick ? [] : measurements.compactMap { measurement in measurement.doubt.map { "\(measurement.workload): \($0)" } }
    for failure in failures { Progress.say("MISSED \(failure)") }
    for doubt in undecided { Progress.say("UNDECIDED \(doubt)") }
    if !failures.isEmpty || !undecided.isEmpty { throw ExitCode(1) }
  }
}

extension Rival: ExpressibleByArgument {}
