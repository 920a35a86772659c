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
  private let log: Log
  /// Permissions of a file that is not there yet, where one that is keeps its own; nil keeps it
  /// the user's alone, whatever it was.
  private let newMode: UInt32?
  private var written: [UInt8]?
  /// Why the file is not up to date; told once, not at each change. nil while all is well.
  private(set) var fault: String?

  init(path: String, what: String = "the snapshot", newMode: UInt32? = nil, log: Log) {
    self.path = path
    self.newMode = newMode
    self.what = what
    self.log = log
  }

  /// Writes the snapshot unless the file holds it already.
  func export(_ bytes: [UInt8]) {
    guard bytes != written, !path.isEmpty else { return }
    do throws(SystemError) {
      // Readers lose nothing with the power: the next start writes it anew, and
      // so it need not be durable.
      let line = bytes + [UInt8(ascii: "\n")]
      if let newMode {
        try AtomicFile.write(line, to: path, newMode: newMode)
      } else {
        try AtomicFile.write(line, to: path)
      }
    } catch {
      let text = "\(what) cannot be written: \(path): \(error.code)"
      if fault == nil { log.warning(text) }
      fault = text
      return
    }
    // As long as it is: the room that it was made in is five times that.
    written = bytes.withUnsafeBufferPointer { [UInt8]($0) }
    fault = nil
    onReplaced?()
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
