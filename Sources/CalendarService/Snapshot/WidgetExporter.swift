import CalendarBus
import CalendarModel
import CivilTime
import Platform
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
    /// Why it is not written; nil where it is.
    let refusal: String?
  }

  /// What they are made of.
  struct Content {
    let snapshot: SnapshotV1
    /// What the snapshot was made of.
    let source: SnapshotUpdater.Source
    /// Makes another of the same.
    let answer: (SnapshotRequest) throws(CallError) -> SnapshotV1
  }

  /// - Parameters:
  ///   - snapshotPath: the agent's own file, which none of them may be; "" where there is none.
  ///   - environment: where `~` and `$XDG_RUNTIME_DIR` are looked up.
  ///   - mask: as of umask(2): what the user takes away from new files that others may read.
  init(
    _ exports: [WidgetExport], snapshotPath: String, environment: [String: String], mask: UInt32,
    log: Log
  ) {
    self.log = log
    var owners: [FilePlace: String] = [:]
    if let place = FilePlace(snapshotPath) { owners[place] = "the snapshot of the agent itself" }
    var targets: [Target] = []
    for export in exports {
      let path = export.file(in: environment)
      let place = path.flatMap(FilePlace.init)
      var refusal: String?
      if path == nil {
        refusal = "the environment does not say where \(export.path) is"
      } else if let place, let owner = owners[place] {
        refusal = "\(export.path) is \(owner); give it a path of its own"
      }
      if let place, refusal == nil { owners[place] = "the file of the export \"\(export.name)\"" }
      targets.append(
        Target(
          export: export,
          file: SnapshotExporter(
            path: refusal == nil ? path ?? "" : "", what: "the export \"\(export.name)\"",
            newMode: export.newMode(mask: mask), log: log),
          refusal: refusal.map { "the export \"\(export.name)\" is not written: \($0)" }))
    }
    self.targets = targets
    for refusal in targets.compactMap(\.refusal) { log.warning(refusal) }
  }

  /// What keeps a file from being what it should, a line each.
  var problems: [String] {
    targets.compactMap { $0.refusal ?? $0.file.fault } + unknownCalendars
  }

  /// Writes those that are not what the files hold.
  ///
  /// - Throws: what the making of an excerpt throws; the files after that one stay as they are.
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
    // What was declined runs in it alone.
    if export.counted.includesDeclined {
      nextChange = min(nextChange ?? snapshot.nextChange, snapshot.nextChange)
    }
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
          maximumCharacters: export.maximumCharacters, template: template,
          counted: export.counted, privacy: export.privacy))
      if let step = record.changesAt { nextChange = min(nextChange ?? step, step) }
      return Array(record.text.utf8)
    }
  }

  private func excerpt(of export: WidgetExport, among all: [CalendarInfo]) -> CalendarFilter {
    CalendarFilter(calendars: calendars(of: export, among: all), privacy: export.privacy)
  }

  /// The calendars that an export names; nil where it names none and all are meant. A name that no
  /// calendar has stands for none: a slip of the pen shows too little, never too much.
  private func calendars(
    of export: WidgetExport, among all: [CalendarInfo]
  ) -> Set<CalendarID>? {
    if export.calendars.isEmpty { return nil }
    var kept: Set<CalendarID> = []
    for name in export.calendars {
      let found = all.filter { $0.id.text == name }
      let named = found.isEmpty ? all.filter { $0.name == name } : found
      if named.isEmpty {
        let problem = "the export \"\(export.name)\": no calendar is called \"\(name)\""
        unknownCalendars.append(problem)
        if told.insert(problem).inserted { log.warning(problem) }
      }
      kept.formUnion(named.map(\.id))
    }
    return kept
  }
}
