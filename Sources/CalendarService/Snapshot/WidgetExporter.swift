import CalendarBus
import CalendarModel
import CivilTime
import Platform
import Widgets

/// The files for widgets that the settings name; each is written only when its content changes.
///
/// They stay when the agent ends: a snapshot contains its expiry, and a logout should not empty a
/// folder that is synchronized with other machines.
final class WidgetExporter {
  /// When one of them next changes although the snapshot does not, such as for a countdown.
  private(set) var nextChange: Timestamp?

  private let targets: [Target]
  private let log: Log
  /// The problems of settings that are in the log already.
  private var told: Set<String> = []
  private var unknownCalendars: [String] = []

  private struct Target {
    let export: WidgetExport
    let file: SnapshotExporter
    /// Why it is not written; nil if it is.
    let refusal: String?
  }

  /// The data for the files.
  struct Content {
    let snapshot: SnapshotV1
    /// The source of the snapshot.
    let source: SnapshotUpdater.Source
    /// Makes another snapshot from the same source.
    let answer: (SnapshotRequest) throws(CallError) -> SnapshotV1
  }

  /// - Parameters:
  ///   - snapshotPath: the agent's own file, which no export may use; "" if there is none.
  ///   - environment: the values of `~` and `$XDG_RUNTIME_DIR`.
  ///   - mask: the umask, for new files that others may read.
  init(
    _ exports: [WidgetExport], snapshotPath: String, environment: [String: String], mask: UInt32,
    log: Log
  ) {
    self.log = log
    let snapshotPlace = FilePlace(snapshotPath)
    var owners: [FilePlace: String] = [:]
    var targets: [Target] = []
    for export in exports {
      let path = export.file(in: environment)
      let place = path.flatMap(FilePlace.init)
      var refusal: String?
      if path == nil {
        refusal = localized(
          """
          the export "{name}" is not written: the environment does not say where {path} is; use \
          an absolute path
          """, ["name": export.name, "path": export.path])
      } else if place != nil, place == snapshotPlace {
        refusal = localized(
          """
          the export "{name}" is not written: {path} is the agent's own snapshot; use another path
          """, ["name": export.name, "path": export.path])
      } else if let place, let owner = owners[place] {
        refusal = localized(
          """
          the export "{name}" is not written: {path} is the file of the export "{other}"; use \
          another path
          """, ["name": export.name, "path": export.path, "other": owner])
      }
      if let place, refusal == nil { owners[place] = export.name }
      targets.append(
        Target(
          export: export,
          file: SnapshotExporter(
            path: refusal == nil ? path ?? "" : "", export: export.name,
            newMode: export.newMode(mask: mask), log: log),
          refusal: refusal))
    }
    self.targets = targets
    for refusal in targets.compactMap(\.refusal) { log.warning(refusal) }
  }

  /// The problems of the files, a line each.
  var problems: [String] {
    targets.compactMap { $0.refusal ?? $0.file.fault } + unknownCalendars
  }

  /// Writes the files whose content has changed.
  ///
  /// - Throws: the error of making a filtered snapshot; the files after that one stay as they are.
  func export(_ content: Content) throws(CallError) {
    nextChange = nil
    unknownCalendars = []
    for target in targets where target.refusal == nil {
      target.file.export(try octets(of: target.export, content))
    }
  }

  private func octets(
    of export: WidgetExport, _ content: Content
  ) throws(CallError) -> [UInt8] {
    let (now, zone) = (content.source.now, content.source.reader.zones.local)
    let question = SnapshotRequest(
      excerpt: excerpt(of: export, among: content.source.reader.calendars),
      counted: export.counted)
    var snapshot = question.isWhole ? content.snapshot : try content.answer(question)
    snapshot.scheme = export.scheme ?? snapshot.scheme
    // The agent's snapshot leaves out declined events, so their changes count here.
    if export.counted.includesDeclined {
      nextChange = min(nextChange ?? snapshot.nextChange, snapshot.nextChange)
    }
    switch export.form {
    case .snapshot:
      return snapshot.json
    case .svg, .html:
      // A page follows the screen that it is shown on, unless the settings say otherwise.
      let scheme = export.form == .html ? export.scheme : snapshot.scheme
      let picture = snapshot.month.map {
        MonthPicture(
          $0, zone: zone, times: TimeText.current,
          settings: MonthPicture.Settings(scheme: scheme), calendars: snapshot.calendars)
      }
      let text = (export.form == .svg ? picture?.svg : picture?.html) ?? ""
      // ``SnapshotExporter`` adds the last newline.
      return Array(text.utf8.dropLast())
    case .bar(let name):
      let template = export.template ?? (name == BarFormat.template.name ? .standard : nil)
      let record = BarRecord(
        BarFormat.named(name) ?? .plain, snapshot: snapshot, now: now, zone: zone,
        times: TimeText.current,
        settings: BarSettings(
          maximumColumns: export.maximumColumns, template: template,
          counted: export.counted, privacy: export.privacy))
      if let step = record.changesAt { nextChange = min(nextChange ?? step, step) }
      return Array(record.text.utf8)
    }
  }

  /// The filters of the files.
  func excerpts(among all: [CalendarInfo]) -> [CalendarFilter] {
    unknownCalendars = []
    return targets.filter { $0.refusal == nil }.map { excerpt(of: $0.export, among: all) }
  }

  private func excerpt(of export: WidgetExport, among all: [CalendarInfo]) -> CalendarFilter {
    CalendarFilter(calendars: calendars(of: export, among: all), privacy: export.privacy)
  }

  /// Returns the calendars that an export names; nil if it names none, which means all.
  ///
  /// An unknown name matches none: a typing error shows too little, never too much.
  private func calendars(
    of export: WidgetExport, among all: [CalendarInfo]
  ) -> Set<CalendarID>? {
    if export.calendars.isEmpty { return nil }
    var kept: Set<CalendarID> = []
    for name in export.calendars {
      let found = all.filter { $0.id.text == name }
      let named = found.isEmpty ? all.filter { $0.name == name } : found
      if named.isEmpty {
        let problem = localized(
          "the export \"{name}\" names an unknown calendar, \"{calendar}\"",
          ["name": export.name, "calendar": name])
        unknownCalendars.append(problem)
        if told.insert(problem).inserted { log.warning(problem) }
      }
      kept.formUnion(named.map(\.id))
    }
    return kept
  }
}
