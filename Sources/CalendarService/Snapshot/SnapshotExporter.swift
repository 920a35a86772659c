import CalendarModel
import CivilTime
import Platform

/// The file that widgets watch: replaced by rename only when its content changes.
final class SnapshotExporter {
  /// The path of the file; "" if there is no directory for it.
  let path: String
  /// Runs after the file was replaced.
  var onReplaced: (() -> Void)?

  /// The name of the export; nil for the agent's own snapshot.
  private let export: String?
  /// Whether the agent owns the folder, and makes it again if it was removed.
  private let ownsFolder: Bool
  private let log: Log
  /// The permissions of a new file, while an existing file keeps its own; nil makes both private.
  private let newMode: UInt32?
  private var written: [UInt8]?
  /// Why the file is not up to date; nil while all is well. It is logged once, not at each change.
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
    // Made now, since exports may be in it, and so that problems show before the first write.
    do throws(PlatformError) { try UserDirectories.makePrivateFolder(of: path) } catch {
      failed(error)
    }
  }

  /// Writes the snapshot, unless the file has it already.
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

  /// Writes the file, not durably: after a power failure the next start writes it again.
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
          ["name": $0, "reason": error.text])
      } ?? localized("the snapshot cannot be written: {reason}", ["reason": error.text])
    if fault == nil { log.warning(text) }
    fault = text
  }

  /// Removes the file, also that of an earlier agent: bars must not show outdated events.
  func remove() {
    guard !path.isEmpty else { return }
    // It may be gone already.
    try? AtomicFile.remove(path)
    written = nil
  }
}
