import Foundation

// Scripts/foreign [SEED] [CASES]: a database in the manner of other programs, read and asked as their meaning has it.
guard CommandLine.arguments.count > 1 else {
  FileHandle.standardError.write(Data("dao-foreign FOLDER, as Tests/ForeignStores/make.py has made it\n".utf8))
  exit(2)
}
let comparison = try ForeignComparison(URL(fileURLWithPath: CommandLine.arguments[1]))
let differences = try comparison.run()
for difference in differences.prefix(20) { print(difference) }
print("foreign: \(comparison.valueCount) values, \(comparison.caseCount) criteria, \(differences.count) differences")
exit(differences.isEmpty ? 0 : 1)
