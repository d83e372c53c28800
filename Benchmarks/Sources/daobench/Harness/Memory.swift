import CBenchSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How much the process's resident memory has grown since the watch was set up.
struct MemoryWatch {
  private let start = residentBytes()
  /// The most that it had grown by at any look, in bytes.
  private(set) var growth = 0

  /// Takes a look.
  mutating func look() { growth = max(growth, Self.residentBytes() - start) }

  /// Gives free memory back to the system, so that rows which are kept have to show: they would be put where earlier laps left room.
  static func giveBack() { bench_give_memory_back() }

  /// From here on gives free memory back to the system at once.
  static func keepNothing() { bench_keep_no_memory() }

  #if canImport(Glibc)
    /// The second number of `statm` (proc(5)) is the resident set in pages.
    private static func residentBytes() -> Int {
      guard let file = fopen("/proc/self/statm", "r") else { return 0 }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 128)
      guard fgets(&line, 128, file) != nil else { return 0 }
      let numbers = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
      return (numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
    }
  #else
    private static func residentBytes() -> Int {
      var info = mach_task_basic_info()
      var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
      let result = withUnsafeMutablePointer(to: &info) { pointer in
        pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
          task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
        }
      }
      return result == KERN_SUCCESS ? Int(info.resident_size) : 0
    }
  #endif
}

/// Leaves nothing behind that a lap would be timed with: what is yet to be written to the disk, which its own sync would wait for, and
/// memory that a virtual machine has given back to its host, and would fetch anew.
/// - Parameter byteCount: how much memory a lap may take.
func settle(byteCount: Int) {
  sync()
  let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 4096)
  for offset in stride(from: 0, to: byteCount, by: 4096) {
    memory.storeBytes(of: UInt8(truncatingIfNeeded: offset), toByteOffset: offset, as: UInt8.self)
  }
  memory.deallocate()
}
