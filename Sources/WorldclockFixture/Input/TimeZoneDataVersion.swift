import Foundation

/// The version of a folder of time zone data, as exact as it can be had: of the system's folder the Debian package's (`2025b-0+deb12u2`),
/// else the release (`2025b`) named in `tzdata.zi` or `+VERSION`, else `unknown`.
func timeZoneDataVersion(of folder: URL) -> String {
  if folder.standardizedFileURL.path == "/usr/share/zoneinfo", let version = debianPackageVersion() { return version }
  let prefix = "# version "
  if let text = try? String(contentsOf: folder.appendingPathComponent("tzdata.zi"), encoding: .utf8), text.hasPrefix(prefix) {
    return String(text.dropFirst(prefix.count).prefix { !$0.isWhitespace })
  }
  if let text = try? String(contentsOf: folder.appendingPathComponent("+VERSION"), encoding: .utf8) {
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
  return "unknown"
}

private func debianPackageVersion() -> String? {
  #if os(Linux)
    let query = Process()
    query.executableURL = URL(fileURLWithPath: "/usr/bin/dpkg-query")
    query.arguments = ["--show", "--showformat=${Version}", "tzdata"]
    let output = Pipe()
    query.standardOutput = output
    query.standardError = FileHandle.nullDevice
    guard (try? query.run()) != nil, let bytes = try? output.fileHandleForReading.readToEnd() else { return nil }
    query.waitUntilExit()
    return query.terminationStatus == 0 ? String(bytes: bytes, encoding: .utf8) : nil
  #else
    return nil
  #endif
}
