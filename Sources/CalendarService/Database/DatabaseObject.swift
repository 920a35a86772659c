import CalendarBus
import CalendarStore
import CivilTime
import DBus

/// The interface org.datebook.Calendar1.Database.
final class DatabaseObject {
  private unowned let agent: CalendarAgent

  init(agent: CalendarAgent) {
    self.agent = agent
  }

  var methods: [MemberName: MethodBody] {
    [
      "Backups": { [unowned agent] _ in
        let folder = agent.storage.files.backups
        return [Row.array(folder.all().map { Row($0, in: folder) })]
      },
      "Restore": { [unowned agent] call throws(CallError) in
        [try agent.restoreBackup(call.text(0)).value]
      },
      "Recover": { [unowned agent] _ throws(CallError) in [try agent.recover().value] },
      "Pause": { [unowned agent] _ throws(CallError) in
        try agent.pause()
        return []
      },
      "Resume": { [unowned agent] _ throws(CallError) in
        try agent.resume()
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
    // Of a damaged one nothing may be known.
    if let summary = try? EventStore.summary(ofFile: folder.file(of: backup.id)) {
      set(.events, .uint32(UInt32(clamping: summary.events)))
      set(.revision, .uint64(summary.revision))
    }
  }
}
