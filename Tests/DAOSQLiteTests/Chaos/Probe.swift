#if os(Linux)
  import DAOCriteria
  import Foundation
  import Glibc

  @testable import DAOSQLite

  /// Another process.
  struct Child {
    let process: pid_t
    private let output: CInt

    struct End {
      let status: CInt
      let output: String
      /// Whether it was killed; a crash or a hang ends by another signal.
      var wasKilled: Bool { status & 0x7F == SIGKILL }
      /// Whether it said that it is done, whatever ended it then.
      var saysItIsDone: Bool {
        let last = output.split(separator: "\n").last ?? ""
        return last.hasPrefix("end ") && !last.hasPrefix("end failed") && !last.hasPrefix("end without")
      }
    }

    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
      var ends: [CInt] = [0, 0]
      guard pipe(&ends) == 0 else { throw DAOError.unsupported("pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      // A crash is to end it. A process that shows where it was would keep the output open, for ever where this one is killed meanwhile.
      let all = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
      var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
      var envp: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0)=\($1)") } + [nil]
      defer { (argv + envp).forEach { free($0) } }
      var process: pid_t = 0
      let result = posix_spawn(&process, path, &actions, nil, &argv, &envp)
      close(ends[1])
      output = ends[0]
      self.process = process
      guard result == 0 else {
        close(output)
        throw DAOError.unsupported("\(path) can't be started: \(result)")
      }
    }

    /// Waits until it has said a line, and leaves what it says after that.
    func waitForLine() -> String {
      var line: [UInt8] = []
      var byte: UInt8 = 0
      while line.last != UInt8(ascii: "\n"), read(output, &byte, 1) == 1 { line.append(byte) }
      return String(decoding: line, as: UTF8.self)
    }

    /// Waits for its end.
    func wait() -> End {
      var said = ""
      while true {
        let more = waitForLine()
        if more.isEmpty { break }
        said += more
      }
      close(output)
      var status: CInt = 0
      waitpid(process, &status, 0)
      return End(status: status, output: said)
    }

    static func run(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> End {
      try Child(path, arguments, environment: environment).wait()
    }
  }

  /// A process that makes a store ready; see Tests/BootstrapProbe.
  enum Probe {
    static let path: String = {
      // Beside the test bundle, which is the running program.
      let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
      return URL(fileURLWithPath: program).deletingLastPathComponent().appendingPathComponent("bootstrap-probe").path
    }()

    /// Where SQLite puts its temporary files, below the root.
    static let temporaryFolder = "temporary"

    /// Does something to a store below a root.
    static func start(
      _ seed: URL?, _ store: String, _ action: String, _ root: String, refused: String = "", shim: [String: String]? = nil
    ) throws -> Child {
      // So that the shim sees SQLite's temporary files too, where there is a folder for them.
      let temporary = root + "/" + temporaryFolder
      var environment = FileManager.default.fileExists(atPath: temporary) ? ["SQLITE_TMPDIR": temporary] : [:]
      if let shim {
        environment.merge(["LD_PRELOAD": try Shim.library.get(), "DAO_SHIM_ROOT": root, "DAO_SHIM_REFUSE": refused]) { $1 }
        environment.merge(shim) { $1 }
      }
      return try Child(path, [seed?.path ?? "-", store, action], environment: environment)
    }

    /// Makes a store ready in another process, undisturbed.
    static func bootstrap(_ seed: URL?, _ store: URL, policy: SeedPolicy = .copyIfMissing, lockTimeout: Int) throws -> Child.End {
      try Child.run(path, [seed?.path ?? "-", store.path, policy.word, "\(lockTimeout)"])
    }
  }

  /// The library that counts a process's calls; see Tests/BootstrapShim. It is compiled once.
  enum Shim {
    private static let scratch = Result { try Scratch() }

    static let library: Result<String, any Error> = Result {
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../BootstrapShim/shim.c")
        .standardized
      let target = try scratch.get().path + "/shim.so"
      guard let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/opt/swift/usr/bin/clang"].first(where: FileManager.default.isExecutableFile)
      else {
        throw DAOError.unsupported("there is no C compiler for the shim")
      }
      guard try Child.run(compiler, ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", target, source.path, "-ldl"]).status == 0 else {
        throw DAOError.unsupported("the shim does not compile")
      }
      return target
    }
  }
#endif
