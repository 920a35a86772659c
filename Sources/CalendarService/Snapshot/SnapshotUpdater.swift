import CalendarBus
import CalendarModel
import CivilTime
import Platform
import Widgets

/// The updates of the snapshot, its file, the exports and the next event.
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
  /// The instant at which the snapshot next differs, or another file for widgets.
  private(set) var nextChange: Timestamp?
  /// The instant at which a change of ``nextEvent`` is announced that came too soon after another.
  private(set) var nextTelling: Timestamp?

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
  /// Whether ``next`` is still that of the update before the last one.
  private var isNextEventDue = false
  private var isPauseAwaited = false
  /// Ends the wait for a pause between calls.
  private var patience: Deadline?
  /// Until when it rests after an update, so that many changes are not as many updates. On the
  /// monotonic clock, in nanoseconds.
  private var restEnd: Int64 = 0
  private let isBusy: () -> Bool
  private let onReadMany: () -> Void
  /// Whether it updates now although callers wait.
  private var isPatienceOver = false
  private static let patienceMilliseconds = 100
  /// Changes that come faster than the batches would restart them without end: after so much wasted
  /// time it updates at once.
  private static let mostWasted: Int64 = 2_000_000_000
  /// The time that the batches of the next update took, and how much of it was wasted.
  private var spent: Int64 = 0
  private var wasted: Int64 = 0
  /// How often batches had restarted before the last one.
  private var begunAnew = 0
  /// After an update it rests this many times as long as that took, so that updates take a tenth of
  /// the time at most: with a hundred thousand events one takes longer than most changes.
  static let usualRestFactor: Int64 = 10
  private let restFactor: Int64
  /// The rounds of the loop before the first update: the call for which the bus started the agent
  /// is read in them, and is answered first.
  private var roundsToPass = 3
  private static let longestRest: Int64 = 1_000_000_000

  /// The data of a snapshot at an instant.
  struct Source {
    let reader: AgendaReader
    /// The first pending reminders of a filter, and how many more there are.
    let reminders: (CalendarFilter) throws(CallError) -> (first: [Reminder], more: Int)
    let revision: UInt64
    let now: Timestamp
  }

  /// - Parameters:
  ///   - restFactor: how long it rests after an update, in times of the update.
  ///   - isBusy: whether callers wait for answers.
  ///   - onReadMany: called after an update that read much: the memory used for that is several
  ///     times as large as what stays.
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

  /// The first row of Next(1), as of now.
  var nextEvent: Row {
    if isAsked {
      lookAtNextEvent()
    } else {
      refreshNextEventIfDue()
    }
    return next
  }

  /// Updates everything at once where that is little, else only the next event.
  private func lookAtNextEvent() {
    guard gather() else { return look() }
    do throws(CallError) {
      try refreshNextEvent(try source())
    } catch {
      log.error(
        localized("the next event could not be read: {reason}", ["reason": error.message]))
    }
  }

  /// Whether an update is due.
  var isDue: Bool { isAsked || isNextEventDue }

  /// Updates once, as soon as no caller waits, but within a tenth of a second: ten changes in a row
  /// are one new file. It rests after an update, a second at most, and then handles the next change
  /// in the same way.
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

  /// Reads a batch of what is shown, and returns whether another batch is needed.
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
      // To process many takes as long as to read them.
      return gathered == .more || gathered == .kept(isMany: true)
    } catch {
      // The update meets the same error, and logs it.
      return false
    }
  }

  /// Does a pending update now, because a caller asks.
  func refreshIfAsked() {
    if isAsked { look() }
  }

  /// Updates now; where that is much, in batches between which calls are answered.
  func refresh() {
    guard gather() else { return look() }
    isAsked = true
    isPatienceOver = true
    // The former value is over, and the next one is not known yet.
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
        // To find it takes as long as all the rest: calls are answered before.
        isNextEventDue = true
        loop.beforeWaiting { [weak self] in self?.refreshNextEventIfDue() }
        return
      }
      try refreshNextEvent(source)
    } catch {
      log.error(localized("the snapshot could not be made: {reason}", ["reason": error.message]))
    }
    onLooked?()
  }

  /// The text of Snapshot, which is written to the file, too, before the answer.
  func text() throws(CallError) -> String {
    let json = try document(of: SnapshotRequest()).json
    exporter.export(json)
    return String(decoding: json, as: UTF8.self)
  }

  /// The text of SnapshotOf: a filtered snapshot as of now, which is in no file.
  func text(of question: SnapshotRequest) throws(CallError) -> String {
    String(decoding: try document(of: question).json, as: UTF8.self)
  }

  /// The snapshot as of now.
  func document(of question: SnapshotRequest) throws(CallError) -> SnapshotDocument {
    try make(question, try source())
  }

  /// Whether the screen is light or dark, which a snapshot says.
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
      moreReminders: reminders.more, privacy: excerpt.privacy, counted: question.counted,
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
        localized("the next event could not be read: {reason}", ["reason": error.message]))
    }
    onLooked?()
  }

  private func refreshNextEvent(_ source: Source) throws(CallError) {
    isNextEventDue = false
    let found = try source.reader.next(1, now: source.now)
    let reader = source.reader
    let row =
      found.first.map { Row($0, colors: reader.colors, ownAddresses: reader.ownAddresses) } ?? Row()
    // It differs when the event before it ends, which is when the snapshot does.
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
