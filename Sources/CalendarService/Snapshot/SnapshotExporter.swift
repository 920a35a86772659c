import CalendarModel
import CivilTime
import Platform

/// Keeps the file that widgets watch: replaced by rename whenever its content
/// differs, and never otherwise.
final class SnapshotExporter {
  /// "" where there is no directory to keep it in.
  let path: String
  /// Runs after the file was replaced.
  var onReplaced: (() -> Void)?

  /// What it is, for the log: "the snapshot".
  private let what: String
  /// Whether its folder is the agent's, which makes it again where somebody has removed it.
  private let ownsFolder: Bool
  private let log: Log
  /// Permissions of a file that is not there yet, where one that is keeps its own; nil keeps it
  /// the user's alone, whatever it was.
  private let newMode: UInt32?
  private var written: [UInt8]?
  /// Why the file is not up to date; told once, not at each change. nil while all is well.
  private(set) var fault: String?

  init(
    path: String, what: String = "the snapshot", ownsFolder: Bool = false, newMode: UInt32? = nil,
    log: Log
  ) {
    self.path = path
    self.ownsFolder = ownsFolder
    self.newMode = newMode
    self.what = what
    self.log = log
    guard ownsFolder, !path.isEmpty else { return }
    // Exports may be in it, too; and why it is refused is known before the first write.
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
    // As long as it is: the room that it was made in is five times that.
    written = bytes.withUnsafeBufferPointer { [UInt8]($0) }
    fault = nil
    onReplaced?()
  }

  /// Readers lose nothing with the power, since the next start writes it again: it need not be
  /// durable.
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
    let text = "\(what) cannot be written: \(error)"
    if fault == nil { log.warning(text) }
    fault = text
  }

  /// Takes the file away, also one that an agent before this has left, so that no
  /// bar shows yesterday's events as today's.
  func remove() {
    guard !path.isEmpty else { return }
    // One that is gone already is what was wanted.
    try? AtomicFile.remove(path)
    written = nil
  }
}
