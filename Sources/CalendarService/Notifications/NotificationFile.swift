import CalendarModel
import Platform

/// The file of the notifications on the screen, so that a restarted agent shows none twice.
///
/// Its first line has the ID of the bus and the unique name of the server. Each notification has a
/// line: its number, its subject, "+" and its number of too old reminders, if any, and its
/// reminders. Only a notification about a problem of the agent has no reminders.
final class NotificationFile {
  /// One notification on the screen.
  struct Entry: Equatable {
    let number: UInt32
    /// See ``NotificationBoard/show(_:reminders:subject:tooOld:)``; without spaces.
    let subject: String
    var tooOld = 0
    let reminders: [String]
  }

  /// The path of the file; "" if there is no folder for it.
  private let path: String
  private let log: Log
  private var written: [UInt8] = []
  private var isFaulty = false

  private static let mostBytes = 16 << 20

  init(path: String, log: Log) {
    self.path = path
    self.log = log
  }

  /// Returns the notifications that an earlier agent left on the screen of a server.
  ///
  /// - Parameter server: see ``NotificationPresence/server``.
  func read(of server: String) -> [Entry] {
    guard !path.isEmpty else { return [] }
    let bytes: [UInt8]
    do throws(PlatformError) {
      // A file that others may have written is not trusted.
      try UserDirectories.makePrivateFolder(of: path)
      bytes = try readFile(path, maximumBytes: NotificationFile.mostBytes)
    } catch .system(let error) where error.code == .noSuchFileOrDirectory {
      // There is no file before the first notification.
      return []
    } catch {
      log.warning(
        localized(
          """
          the list of shown notifications could not be read, so some may be shown twice: {reason}
          """, ["reason": error.text]))
      return []
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first.map(String.init) == server else { return [] }
    return lines.dropFirst().compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 2, let number = UInt32(words[0]) else { return nil }
      var reminders = words[2...]
      var tooOld = 0
      if let counted = reminders.first, counted.hasPrefix("+") {
        guard let count = Int(counted.dropFirst()), count > 0 else { return nil }
        tooOld = count
        reminders.removeFirst()
      }
      guard !reminders.isEmpty || NotificationContent.isFault(words[1]),
        reminders.allSatisfy(ReminderKey.isID)
      else { return nil }
      return Entry(
        number: number, subject: words[1], tooOld: tooOld, reminders: Array(reminders))
    }
  }

  /// Writes the notifications on the screen of a server; without a server there is no file.
  func write(_ entries: [Entry], of server: String?) {
    guard !path.isEmpty else { return }
    guard let server else {
      do throws(SystemError) {
        try AtomicFile.remove(path)
      } catch  where error.code == .noSuchFileOrDirectory {
        // It is gone already.
      } catch {
        // The next agent ignores the file of a server that ended.
        log.warning(
          localized(
            "the list of shown notifications could not be removed: {reason}",
            ["reason": error.text]))
      }
      written = []
      return
    }
    var text = server + "\n"
    for entry in entries {
      let counted = entry.tooOld > 0 ? ["+\(entry.tooOld)"] : []
      let words = ["\(entry.number)", entry.subject] + counted + entry.reminders
      text += words.joined(separator: " ") + "\n"
    }
    let bytes = Array(text.utf8)
    guard bytes != written || SystemCalls.size(ofPath: path) == nil else { return }
    do throws(PlatformError) {
      // Not durable: after a power failure the screen is empty.
      try AtomicFile.writePrivate(bytes, to: path)
      written = bytes
      isFaulty = false
    } catch {
      guard !isFaulty else { return }
      isFaulty = true
      log.warning(
        localized(
          """
          the list of shown notifications could not be saved, so some may be shown twice after a \
          restart: {reason}
          """, ["reason": error.text]))
    }
  }
}
