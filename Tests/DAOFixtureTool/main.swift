import DAOFixtures
import Foundation

// Scripts/fixtures DIR writes the fixtures into a folder; Scripts/answers [ROUNDS] measures the evaluator beside SQLite over their answers.
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "write" where arguments.count == 2:
  let folder = URL(fileURLWithPath: arguments[1])
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  for fixture in Fixture.all { print(try fixture.write(to: folder).path) }
case "answers" where arguments.count <= 2:
  let measured = try AnswerTimes(rounds: arguments.dropFirst().first.flatMap { Int($0) } ?? 9)
  print(measured)
  exit(measured.isWithinLimits ? 0 : 1)
default:
  FileHandle.standardError.write(Data("dao-fixtures write DIR | answers [ROUNDS]\n".utf8))
  exit(2)
}
