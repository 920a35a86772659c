import CalendarModel
import Platform

/// Which notifications are on the screen, kept in a file that ends with the session: an agent that
/// is started anew takes them over, and shows nothing twice.
///
/// A line with the id of the bus and the unique name of the server, and one for each notification:
/// its number, its subject, a "+" and how many more it counts that were too old, if there are any, and the reminders
/// that it stands for: none of the one that says that nothing can be told, and one at least of every other.
final class NotificationFile {
  /// One notification on the screen.
  struct Entry: Equatable {
    let number: UInt32
    /// As of ``NotificationBoard/show(_:reminders:subject:tooOld:)``; without spaces.
    let subject: String
    var tooOld = 0
    let reminders: [String]
  }

  /// "" where there is no folder for it.
  private let path: String
  private let log: Log
  private var written: [UInt8] = []
  private var isFaulty = false

  private static let mostBytes = 16 << 20

  init(path: String, log: Log) {
    self.path = path
    self.log = log
  }

  /// Returns what an agent before this one has left on the screen of a server; nothing where it was
  /// another server.
  ///
  /// - Parameter server: as of ``NotificationPresence/server``.
  func read(of server: String) -> [Entry] {
    guard !path.isEmpty else { return [] }
    let bytes: [UInt8]
    do throws(PlatformError) {
      // What others may have written there is not believed.
      try UserDirectories.makePrivateFolder(of: path)
      bytes = try readFile(path, maximumBytes: NotificationFile.mostBytes)
    } catch .system(let error) where error.code == .noSuchFileOrDirectory {
      // There is none before the first notification.
      return []
    } catch {
      log.warning(
        "the numbers of notifications cannot be read: \(error); what is on the screen may be shown "
          + "twice")
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
      guard !reminders.isEmpty || NotificationContent.faults.contains(words[1]),
        reminders.allSatisfy(ReminderKey.isID)
      else { return nil }
      return Entry(
        number: number, subject: words[1], tooOld: tooOld, reminders: Array(reminders))
    }
  }

  /// Writes down what is on the screen of a server; without a server there is no file.
  func write(_ entries: [Entry], of server: String?) {
    guard !path.isEmpty else { return }
    guard let server else {
      do throws(SystemError) {
        try AtomicFile.remove(path)
      } catch  where error.code == .noSuchFileOrDirectory {
        // One that is gone already is what was wanted.
      } catch {
        // The next agent passes by what names a server that is gone.
        log.warning("the numbers of notifications cannot be removed: \(error)")
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
      // It need not be durable: what was on the screen is gone with the power.
      try AtomicFile.writePrivate(bytes, to: path)
      written = bytes
      isFaulty = false
    } catch {
      guard !isFaulty else { return }
      isFaulty = true
      log.warning(
        "the numbers of notifications cannot be kept: \(error); the next agent may show them twice")
    }
  }
}
