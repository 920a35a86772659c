import CalendarBus
import CalendarStore
import CivilTime
import DBus

/// The interface org.datebook.Calendar1.Database.
final class DatabaseObject {
  private let maintenance: DatabaseMaintenance
  private let files: DatabaseFiles

  init(_ maintenance: DatabaseMaintenance, files: DatabaseFiles) {
    self.maintenance = maintenance
    self.files = files
  }

  var methods: [MemberName: MethodBody] {
    [
      "Backups": { [files] _ in
        let folder = files.backups
        return [Row.array(folder.all().map { Row($0, in: folder) })]
      },
      "Restore": { [maintenance] call throws(CallError) in
        [try maintenance.restore(call.text(0)).value]
      },
      "Recover": { [maintenance] _ throws(CallError) in [try maintenance.recover().value] },
      "Pause": { [maintenance] _ throws(CallError) in
        try maintenance.pause()
        return []
      },
      "Resume": { [maintenance] _ throws(CallError) in
        try maintenance.resume()
        return []
      },
    ]
  }
}

extension Row {
  fileprivate init(_ backup: Backup, in folder: BackupFolder) {
    self.init()
    set(.id, backup.id)
    set(.kind, backup.kind.rawValue)
    set(.at, .int64(backup.time.seconds))
    set(.bytes, .uint64(UInt64(backup.bytes)))
    // A damaged file may have no readable summary.
    if let summary = try? EventStore.summary(ofFile: folder.file(of: backup.id)) {
      set(.events, .uint32(UInt32(clamping: summary.events)))
      set(.revision, .uint64(summary.revision))
    }
  }
}
