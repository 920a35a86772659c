import CalendarBus
import CalendarModel
import CivilTime
import Platform
import Widgets

/// Keeps the snapshot, its file, the exports and the next event up to date.
final class SnapshotUpdater {
  /// Runs after the file was replaced.
  var onReplaced: (() -> Void)? {
    get { exporter.onReplaced }
    set { exporter.onReplaced = newValue }
  }
  /// Runs after ``nextEvent`` changed, at most once in each second of the clock.
  var onNextEventChanged: (() -> Void)?
  /// Runs after each update, when ``nextChange`` may have changed.
  var onLooked: (() -> Void)?
  /// The instant at which the snapshot, or another file for widgets, next changes.
  private(set) var nextChange: Timestamp?
  /// When to announce a change of ``nextEvent`` that came too soon after another.
  private(set) var nextTelling: Timestamp?

  /// The sources that the snapshot names, since they are stale or wait for a person.
  var sources: [SnapshotSource] = [] {
    didSet { if sources != oldValue { refreshSoon() } }
  }

  private let exporter: SnapshotExporter
  private let widgets: WidgetExporter
  private var builder: SnapshotBuilder
  private let loop: EventLoop
  private let log: Log
  private let source: () throws(CallError) -> Source
  private var next = Row()
  /// The value announced last, and when.
  private var told: (row: Row, at: Timestamp?) = (Row(), nil)
  private var isAsked = false
  /// Whether the last update did not refresh ``next``.
  private var isNextEventDue = false
  private var isPauseAwaited = false
  /// Ends the wait for a pause between calls.
  private var patience: Deadline?
  /// The end of the rest after an update, in monotonic nanoseconds: many changes make few updates.
  private var restEnd: Int64 = 0
  private let isBusy: () -> Bool
  private let onReadMany: () -> Void
  /// Whether it updates now although callers wait.
  private var isPatienceOver = false
  private static let patienceMilliseconds = 100
  /// The nanoseconds that restarted batches may waste; then it updates at once.
  private static let mostWasted: Int64 = 2_000_000_000
  /// The nanoseconds that the batches of the next update took.
  private var spent: Int64 = 0
  private var wasted: Int64 = 0
  /// The cache's number of restarts at the last batch.
  private var begunAnew = 0
  /// The duration of a rest as a multiple of the update's, so that updates take little time.
  static let usualRestFactor: Int64 = 10
  private let restFactor: Int64
  /// The rounds of the loop before the first update.
  ///
  /// In these the agent reads and answers the call for which the bus started it.
  private var roundsToPass = 3
  private static let longestRest: Int64 = 1_000_000_000

  /// The data of a snapshot at an instant.
  struct Source {
    let reader: AgendaReader
    /// The first pending reminders of a filter, and how many more there are.
    let reminders: (CalendarFilter) throws(CallError) -> (first: [Reminder], more: Int)
    let revision: UInt64
    /// Whether notifications are held back.
    let quiet: SnapshotQuiet
    let now: Timestamp
  }

  /// - Parameters:
  ///   - restFactor: the duration of a rest as a multiple of the update's.
  ///   - isBusy: whether callers wait for answers.
  ///   - onReadMany: called after an update that read much, to release the memory it used.
  ///   - source: the data; its errors are those of the store.
  init(
    exporter: SnapshotExporter, widgets: WidgetExporter, settings: SnapshotSettings,
    loop: EventLoop, log: Log,
    restFactor: Int64 = SnapshotUpdater.usualRestFactor, isBusy: @escaping () -> Bool,
    onReadMany: @escaping () -> Void,
    source: @escaping () throws(CallError) -> Source
  ) {
    self.restFactor = restFactor
    self.isBusy = isBusy
    self.onReadMany = onReadMany
    self.exporter = exporter
    self.widgets = widgets
    builder = SnapshotBuilder(settings: settings)
    self.loop = loop
    self.log = log
    self.source = source
  }

  var path: String { exporter.path }
  /// Why the file is not up to date; nil while all is well.
  var fault: String? { exporter.fault }
  /// The problems of the exports in the settings, a line each.
  var exportProblems: [String] { widgets.problems }

  /// The first row of Next(1) at this instant.
  var nextEvent: Row {
    if isAsked {
      lookAtNextEvent()
    } else {
      refreshNextEventIfDue()
    }
    return next
  }

  /// Updates everything at once if that is little, else only the next event.
  private func lookAtNextEvent() {
    guard gather() else { return look() }
    do throws(CallError) {
      try refreshNextEvent(try source())
    } catch {
      log.error(
        localized("the next event could not be read: {reason}", ["reason": error.text]))
    }
  }

  /// Whether an update is due.
  var isDue: Bool { isAsked || isNextEventDue }

  /// Updates as soon as no caller waits, within a tenth of a second.
  ///
  /// After an update it rests, a second at most, so that many changes in a row make few updates.
  func refreshSoon() {
    guard !isAsked else { return }
    isAsked = true
    let rest = restEnd - SystemCalls.monotonicNanoseconds()
    if rest <= 0 { return beginToLook() }
    patience = loop.after(milliseconds: Int(rest / 1_000_000) + 1) { [weak self] in
      self?.beginToLook()
    }
  }

  private func beginToLook() {
    patience = loop.after(milliseconds: SnapshotUpdater.patienceMilliseconds) { [weak self] in
      self?.isPatienceOver = true
      self?.refreshInAPause()
    }
    refreshInAPause()
  }

  private func refreshInAPause() {
    guard !isPauseAwaited else { return }
    isPauseAwaited = true
    loop.beforeWaiting { [weak self] in
      guard let self else { return }
      isPauseAwaited = false
      guard isAsked else { return }
      if !isPatienceOver, isBusy() || roundsToPass > 0 {
        roundsToPass = max(0, roundsToPass - 1)
        refreshInAPause()
      } else if wasted < SnapshotUpdater.mostWasted, gather() {
        refreshInAPause()
      } else {
        look()
      }
    }
  }

  /// Reads a batch of the events in the snapshot, and returns whether to update in a later round.
  private func gather() -> Bool {
    let begin = SystemCalls.monotonicNanoseconds()
    defer { spent += SystemCalls.monotonicNanoseconds() - begin }
    do throws(CallError) {
      let source = try source()
      if source.reader.cache.begunAnew != begunAnew {
        begunAnew = source.reader.cache.begunAnew
        wasted = spent
      }
      let excerpts = [CalendarFilter()] + widgets.excerpts(among: source.reader.calendars)
      let gathered = try source.reader.gather(
        builder.span(at: source.now, zone: source.reader.zones.local), now: source.now,
        for: excerpts, nanoseconds: WorkSlice.nanoseconds)
      // Processing many takes as long as reading them, so it gets its own round.
      return gathered == .more || gathered == .kept(isMany: true)
    } catch {
      // The update meets the same error, and logs it.
      return false
    }
  }

  /// Does a pending update now, for a caller.
  func refreshIfAsked() {
    if isAsked { look() }
  }

  /// Updates now; if that is much, in batches between which calls are answered.
  func refresh() {
    guard gather() else { return look() }
    isAsked = true
    isPatienceOver = true
    // The old value has passed, and the new one is not known yet.
    nextChange = nil
    onLooked?()
    refreshInAPause()
  }

  private func look() {
    isAsked = false
    if let patience { loop.cancel(patience) }
    patience = nil
    isPatienceOver = false
    let begin = SystemCalls.monotonicNanoseconds() - spent
    (spent, wasted) = (0, 0)
    defer {
      let end = SystemCalls.monotonicNanoseconds()
      restEnd = end + min((end - begin) * restFactor, SnapshotUpdater.longestRest)
    }
    do throws(CallError) {
      let source = try source()
      let document = try make(SnapshotRequest(), source)
      let snapshot = document.snapshot
      exporter.export(document.json)
      try widgets.export(
        WidgetExporter.Content(snapshot: snapshot, source: source) {
          [unowned self] question throws(CallError) in try make(question, source).snapshot
        })
      nextChange = min(snapshot.nextChange, widgets.nextChange ?? snapshot.nextChange)
      if source.reader.cache.hasTooFullDays {
        // Finding it takes as long as all the rest, so answer calls first.
        isNextEventDue = true
        loop.beforeWaiting { [weak self] in self?.refreshNextEventIfDue() }
        return
      }
      try refreshNextEvent(source)
    } catch {
      log.error(localized("the snapshot could not be made: {reason}", ["reason": error.text]))
    }
    onLooked?()
  }

  /// The text of Snapshot, which is also written to the file.
  func text() throws(CallError) -> String {
    let json = try document(of: SnapshotRequest()).json
    exporter.export(json)
    return String(decoding: json, as: UTF8.self)
  }

  /// The text of SnapshotOf: a filtered snapshot of this instant, which is in no file.
  func text(of question: SnapshotRequest) throws(CallError) -> String {
    String(decoding: try document(of: question).json, as: UTF8.self)
  }

  /// The snapshot of this instant.
  func document(of question: SnapshotRequest) throws(CallError) -> SnapshotDocument {
    try make(question, try source())
  }

  /// Whether the screen is light or dark, for the snapshot.
  var scheme: ColorScheme? {
    get { builder.settings.scheme }
    set { builder.settings.scheme = newValue }
  }

  /// Removes the file; there are no updates until a caller asks again.
  func remove() {
    exporter.remove()
    (nextChange, nextTelling) = (nil, nil)
    next = Row()
  }

  private func make(
    _ question: SnapshotRequest, _ source: Source
  ) throws(CallError) -> SnapshotDocument {
    let excerpt = question.excerpt
    var builder = builder
    if let count = question.nextCount { builder.settings.nextCount = count }
    let (reader, zone) = (source.reader, source.reader.zones.local)
    let reminders = try source.reminders(excerpt)
    defer { if reader.cache.takeHasReadMany() { onReadMany() } }
    return builder.build(
      occurrences: try reader.overview(
        of: builder.span(at: source.now, zone: zone), now: source.now,
        next: builder.settings.nextCount, excerpt: excerpt, counted: question.counted),
      calendars: reader.calendars.filter { excerpt.admits($0.id) }, reminders: reminders.first,
      moreReminders: reminders.more, sources: sources, quiet: source.quiet, privacy: excerpt.privacy,
      counted: question.counted,
      ownAddresses: reader.ownAddresses, now: source.now, zone: zone,
      revision: Int64(clamping: source.revision))
  }

  private func refreshNextEventIfDue() {
    guard isNextEventDue else { return }
    do throws(CallError) {
      try refreshNextEvent(try source())
    } catch {
      isNextEventDue = false
      log.error(
        localized("the next event could not be read: {reason}", ["reason": error.text]))
    }
    onLooked?()
  }

  private func refreshNextEvent(_ source: Source) throws(CallError) {
    isNextEventDue = false
    let found = try source.reader.next(1, now: source.now)
    let reader = source.reader
    let row =
      found.first.map { Row($0, colors: reader.colors, ownAddresses: reader.ownAddresses) } ?? Row()
    // It needs no timer: it changes when an event ends, and so does the snapshot.
    next = row
    nextTelling = nil
    guard next != told.row else { return }
    guard told.at != source.now else {
      nextTelling = source.now.adding(seconds: 1)
      return
    }
    told = (next, source.now)
    onNextEventChanged?()
  }
}
