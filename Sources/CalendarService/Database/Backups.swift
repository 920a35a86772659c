import CalendarStore
import CivilTime
import Platform

/// A copy of the database.
struct Backup: Equatable {
  enum Kind: String, CaseIterable {
    /// Taken by the agent once a day, and removed when it is old.
    case daily
    /// The database before a backup was restored.
    case replaced
    /// The agent's data when another program replaced or removed the file.
    case moved
    /// A damaged file that was recovered.
    case damaged
    /// The database of an older version of Datebook, before it was migrated.
    case upgraded

    /// nil for an id that the agent does not make.
    init?(ofID id: String) {
      if (try? CivilDate(text: id)) != nil {
        self = .daily
      } else {
        self.init(rawValue: id.split(separator: "-").last.map(String.init) ?? "")
      }
    }
  }

  /// "2026-11-26" for a daily backup, "2026-11-26-201500-damaged" or "schema-19-upgraded" for another.
  let id: String
  let kind: Kind
  let bytes: Int
  /// When it was made.
  let time: Timestamp

  /// Returns the daily backups to remove; the newest one always stays.
  ///
  /// The newest seven stay, as long as they have at most ``maximumBytes`` together.
  static func expired(_ all: [Backup]) -> [Backup] {
    let daily = all.filter { $0.kind == .daily }.sorted { $0.id > $1.id }
    var total = 0
    return daily.enumerated().filter { place, backup in
      total += backup.bytes
      return place > 0 && (place >= keptDays || total > maximumBytes)
    }.map(\.element)
  }

  static let keptDays = 7
  static let maximumBytes = 512 << 20
}

/// The folder with backups, next to the database.
struct BackupFolder {
  let path: String

  func file(of id: String) -> String { "\(path)/\(id).db" }

  /// Makes the folder if it is missing.
  ///
  /// - Throws: as ``UserDirectories/makePrivate(_:)``.
  func make() throws(PlatformError) { try UserDirectories.makePrivate(path) }

  /// Returns the backups, the newest first.
  func all() -> [Backup] {
    let names = (try? SystemCalls.names(inFolder: path)) ?? []
    return names.compactMap { name in
      guard name.hasSuffix(".db"), !name.hasPrefix("."),
        let bytes = SystemCalls.size(ofPath: "\(path)/\(name)"),
        let seconds = SystemCalls.modificationSeconds(ofPath: "\(path)/\(name)")
      else { return nil }
      let id = String(name.dropLast(3))
      // Ignored, so that files of other programs are never removed.
      guard let kind = Backup.Kind(ofID: id) else { return nil }
      return Backup(id: id, kind: kind, bytes: bytes, time: Timestamp(seconds: seconds))
    }.sorted { ($0.time, $0.id) > ($1.time, $1.id) }
  }

  /// Returns the id for a database of an older schema; after some, which are kept, that of the last one.
  func id(ofSchema schema: Int) -> String {
    let kind = Backup.Kind.upgraded.rawValue
    let ids = ["schema-\(schema)-\(kind)"] + (2...9).map { "schema-\(schema)-\($0)-\(kind)" }
    return ids.first { SystemCalls.size(ofPath: file(of: $0)) == nil } ?? ids[ids.count - 1]
  }

  /// Returns an id that no backup has.
  ///
  /// - Parameter now: the user's local time.
  func newID(_ kind: Backup.Kind, _ now: CivilDateTime) -> String {
    // "2026-11-26T20:15:00" becomes "2026-11-26-201500".
    let base = now.description.replacing(":", with: "").replacing("T", with: "-")
    var id = "\(base)-\(kind.rawValue)"
    var number = 2
    while SystemCalls.size(ofPath: file(of: id)) != nil {
      id = "\(base)-\(number)-\(kind.rawValue)"
      number += 1
    }
    return id
  }
}
