import DAOKit
import Foundation

// Scripts/foreign [SEED] [CASES]: a database in the manner of other programs, read and asked as their meaning has it.
guard CommandLine.arguments.count > 1 else {
  FileHandle.standardError.write(
    Data("dao-foreign FOLDER, as Tests/ForeignStores/make.py has made it, or dao-foreign --inspect FILE\n".utf8))
  exit(2)
}
if CommandLine.arguments[1] == "--inspect", CommandLine.arguments.count > 2 {
  let found = try DAOFactory.inspect(URL(fileURLWithPath: CommandLine.arguments[2]))
  print(found)
  print(try found.swiftSource())
  exit(0)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let inspected = try ForeignInspection(folder).differences()
let comparison = try ForeignComparison(folder)
let differences = try inspected + comparison.run()
for difference in differences.prefix(20) { print(difference) }
print("foreign: \(comparison.valueCount) values, \(comparison.caseCount) criteria, \(differences.count) differences")
exit(differences.isEmpty ? 0 : 1)
