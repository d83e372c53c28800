import ArgumentParser
import DAOImport
import DAOKit
import Foundation

/// Brings notes from a feed, and writes them as one.
struct Notes: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Your notes, from a file and to one.", subcommands: [ImportNotes.self, ExportNotes.self])
}

/// Brings notes from a file: those that are there are updated.
struct ImportNotes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Brings notes from a JSON file: a list of objects with id, zone, text and created.")

  @Argument(help: "The file.", completion: .file(extensions: ["json"])) var file: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let notes = try store.open().runtimeDAO(Note.self)
    do {
      print(try notes.import(.json(URL(fileURLWithPath: file))))
    } catch let failure as ImportFailure {
      print(failure)
      throw ExitCode.failure
    }
  }
}

/// Writes the notes to a file, from which `import` brings them back.
struct ExportNotes: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "export", abstract: "Writes your notes to a JSON file.")

  @Argument(help: "The file.", completion: .file(extensions: ["json"])) var file: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let notes = try store.open().runtimeDAO(Note.self)
    let count = try notes.export(.all.order(by: \.created), as: .json, to: URL(fileURLWithPath: file))
    print("\(count) note\(count == 1 ? "" : "s")")
  }
}
