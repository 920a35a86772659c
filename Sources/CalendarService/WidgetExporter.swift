import CalendarModel
import CivilTime
import Widgets

/// Keeps the files that the settings name for widgets: each is written when what it shows
/// changes, and then only.
///
/// They stay when the agent ends: a snapshot says itself until when it is true, and a folder that
/// is carried elsewhere is not to be emptied by a logout.
final class WidgetExporter {
  /// The first instant at which one of them differs though the snapshot does not: a
  /// countdown steps.
  private(set) var nextChange: Timestamp?

  private let targets: [Target]
  private let log: Log
  /// What is wrong with the settings of one, told once.
  private var told: Set<String> = []
  private var unknownCalendars: [String] = []

  private struct Target {
    let export: WidgetExport
    let file: SnapshotExporter
  }

  /// What they are made of.
  struct Content {
    let snapshot: SnapshotV1
    /// What the snapshot was made of, for those that have only some of it.
    let source: SnapshotKeeper.Source
    let occurrences: [Occurrence]
    let builder: SnapshotBuilder
  }

  /// - Parameter environment: where `~` and `$XDG_RUNTIME_DIR` are looked up.
  init(_ exports: [WidgetExport], environment: [String: String], log: Log) {
    self.log = log
    targets = exports.map { export in
      Target(
        export: export,
        file: SnapshotExporter(
          path: export.file(in: environment) ?? "", what: "the export \"\(export.name)\"", log: log)
      )
    }
    for target in targets where target.file.path.isEmpty {
      log.warning(WidgetExporter.homeless(target.export))
    }
  }

  /// What keeps a file from being what it should, a line each.
  var problems: [String] {
    targets.compactMap {
      $0.file.path.isEmpty ? WidgetExporter.homeless($0.export) : $0.file.fault
    } + unknownCalendars
  }

  private static func homeless(_ export: WidgetExport) -> String {
    "the export \"\(export.name)\" is not written: the environment does not say where "
      + "\(export.path) is"
  }

  /// Writes those that are not what the files hold.
  func export(_ content: Content) {
    nextChange = nil
    unknownCalendars = []
    for target in targets { target.file.export(octets(of: target.export, content)) }
  }

  private func octets(of export: WidgetExport, _ content: Content) -> [UInt8] {
    let (now, zone) = (content.source.now, content.source.reader.zones.local)
    var snapshot =
      export.calendars.isEmpty ? content.snapshot : part(content, of: export)
    snapshot.scheme = export.scheme ?? snapshot.scheme
    snapshot = snapshot.redacted(to: export.privacy, now: now, zone: zone)
    switch export.form {
    case .snapshot:
      return snapshot.json
    case .svg, .html:
      // A page follows the screen that it is looked at on, unless it is told otherwise.
      let scheme = export.form == .html ? export.scheme : snapshot.scheme
      let picture = snapshot.month.map {
        MonthPicture($0, zone: zone, settings: MonthPicture.Settings(scheme: scheme))
      }
      let text = (export.form == .svg ? picture?.svg : picture?.html) ?? ""
      // The file's last newline comes with the writing.
      return Array(text.utf8.dropLast())
    case .bar(let name):
      let template = export.template ?? (name == BarFormat.template.name ? .standard : nil)
      let record = BarRecord(
        BarFormat.named(name) ?? .plain, snapshot: snapshot, now: now, zone: zone,
        settings: BarSettings(
          maximumCharacters: export.maximumCharacters, template: template))
      if let step = record.changesAt { nextChange = min(nextChange ?? step, step) }
      return Array(record.text.utf8)
    }
  }

  /// The snapshot of some calendars. A name that no calendar has stands for none: a slip of the
  /// pen shows too little, never too much.
  private func part(_ content: Content, of export: WidgetExport) -> SnapshotV1 {
    let all = content.source.reader.calendars
    var kept: [CalendarInfo] = []
    for name in export.calendars {
      let found = all.filter { $0.id.text == name }
      let named = found.isEmpty ? all.filter { $0.name == name } : found
      if named.isEmpty {
        let problem = "the export \"\(export.name)\": no calendar is called \"\(name)\""
        unknownCalendars.append(problem)
        if told.insert(problem).inserted { log.warning(problem) }
      }
      kept += named
    }
    let ids = Set(kept.map(\.id))
    return content.builder.build(
      occurrences: content.occurrences, calendars: all.filter { ids.contains($0.id) },
      reminders: content.source.reminders.filter { ids.contains($0.key.calendar) },
      now: content.source.now, zone: content.source.reader.zones.local,
      revision: content.snapshot.revision)
  }
}
