import CalendarModel
import CivilTime
import Platform

/// The file that widgets watch: replaced by rename whenever its content changes, and never
/// otherwise.
final class SnapshotExporter {
  /// "" where there is no directory to keep it in.
  let path: String
  /// Runs after the file was replaced.
  var onReplaced: (() -> Void)?

  /// The name of the export; nil for the agent's own snapshot.
  private let export: String?
  /// Whether its folder is the agent's, which makes it again where it was removed.
  private let ownsFolder: Bool
  private let log: Log
  /// Permissions of a new file, where an existing one keeps its own; nil makes both the user's
  /// alone.
  private let newMode: UInt32?
  private var written: [UInt8]?
  /// Why the file is not up to date; logged once, not at each change. nil while all is well.
  private(set) var fault: String?

  init(
    path: String, export: String? = nil, ownsFolder: Bool = false, newMode: UInt32? = nil,
    log: Log
  ) {
    self.path = path
    self.ownsFolder = ownsFolder
    self.newMode = newMode
    self.export = export
    self.log = log
    guard ownsFolder, !path.isEmpty else { return }
    // Exports may be in it, too; and a problem is known before the first write.
    do throws(PlatformError) { try UserDirectories.makePrivateFolder(of: path) } catch {
      failed(error)
    }
  }

  /// Writes the snapshot unless the file holds it already.
  func export(_ bytes: [UInt8]) {
    guard !path.isEmpty, bytes != written || SystemCalls.size(ofPath: path) == nil else { return }
    do throws(PlatformError) {
      try write(bytes + [UInt8(ascii: "\n")])
    } catch {
      return failed(error)
    }
    // A copy of exactly this size: the buffer of the original is five times as large.
    written = bytes.withUnsafeBufferPointer { [UInt8]($0) }
    fault = nil
    onReplaced?()
  }

  /// It need not be durable: after a power failure the next start writes it again.
  private func write(_ line: [UInt8]) throws(PlatformError) {
    if ownsFolder { return try AtomicFile.writePrivate(line, to: path) }
    do throws(SystemError) {
      if let newMode {
        try AtomicFile.write(line, to: path, newMode: newMode)
      } else {
        try AtomicFile.write(line, to: path)
      }
    } catch {
      throw .system(SystemError(error.code, call: error.call, path: path))
    }
  }

  private func failed(_ error: PlatformError) {
    let text =
      export.map {
        localized(
          "the export \"{name}\" cannot be written: {reason}",
          ["name": $0, "reason": error.description])
      } ?? localized("the snapshot cannot be written: {reason}", ["reason": error.description])
    if fault == nil { log.warning(text) }
    fault = text
  }

  /// Removes the file, also one of an earlier agent, so that no bar shows yesterday's events as
  /// today's.
  func remove() {
    guard !path.isEmpty else { return }
    // It may be gone already.
    try? AtomicFile.remove(path)
    written = nil
  }
}
