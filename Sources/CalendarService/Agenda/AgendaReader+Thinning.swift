import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform

// What views show of days that are flooded, read a part at a time if need be.

extension AgendaReader {
  /// Does a part of what ``overview(of:now:next:excerpt:counted:)`` has to read first.
  ///
  /// - Parameters:
  ///   - excerpts: of which there will be overviews; more than ``AgendaCache/mostExcerpts`` are left to
  ///     those.
  ///   - nanoseconds: what the part takes, about.
  func gather(
    _ days: TimeSpan, now: Timestamp, for excerpts: [CalendarFilter], nanoseconds: Int64
  ) throws(CallError) -> Gathered {
    let wasFlooded = cache.isFlooded(in: days)
    let gathered = try gather(days, nanoseconds: nanoseconds)
    guard gathered == .flooded else { return gathered }
    if !wasFlooded { return .more }
    for excerpt in excerpts.prefix(AgendaCache.mostExcerpts) {
      if try thin(days, of: excerpt, nanoseconds: nanoseconds) { return .more }
      if try thin(runningAt: now, in: days, of: excerpt, nanoseconds: nanoseconds) { return .more }
    }
    return .flooded
  }

  /// Reads a part of what a view shows of days that are flooded; returns whether there was one to
  /// read.
  func thin(
    _ days: TimeSpan, of excerpt: CalendarFilter, nanoseconds: Int64?
  ) throws(CallError) -> Bool {
    if cache.flooded(in: days, .days(excerpt)) != nil { return false }
    try readOn(.days(excerpt), in: days, nanoseconds: nanoseconds)
    return true
  }

  /// The same of what runs.
  func thin(
    runningAt now: Timestamp, in days: TimeSpan, of excerpt: CalendarFilter, nanoseconds: Int64?
  ) throws(CallError) -> Bool {
    let moment = TimeSpan(start: now, end: now.adding(seconds: 1))
    if cache.running(in: days, at: moment, of: excerpt) != nil { return false }
    var shown = ShownOfFlood.running(
      TimeSpan(start: now, end: now.adding(seconds: AgendaReader.secondsOfRunning)), excerpt)
    // The clock goes on while it is read.
    if let begun = cache.thinning, case .running(let span, excerpt) = begun.shown,
      span.start <= moment.start, moment.end <= span.end
    {
      shown = begun.shown
    }
    try readOn(shown, in: days, nanoseconds: nanoseconds)
    return true
  }

  /// What runs is read for so long, for each second by itself: of what is read in parts the last may
  /// come seconds after the first.
  private static let secondsOfRunning: Int64 = 10

  private func readOn(
    _ shown: ShownOfFlood, in days: TimeSpan, nanoseconds: Int64?
  ) throws(CallError) {
    let thinning: OverloadSampling
    if let begun = cache.thinning, begun.shown == shown, begun.days == days {
      thinning = begun
    } else {
      thinning = try self.thinning(of: days, shown)
      cache.begin(thinning)
    }
    do throws(CallError) {
      guard try read(thinning, nanoseconds: nanoseconds) else { return }
    } catch {
      // Without that part it is nothing to go on with.
      cache.thinning = nil
      throw error
    }
    cache.thinning = nil
    cache.keep(flooded: thinning.occurrences(), in: days, shown)
    cache.hasReadMany = true
  }

  /// Begins to read what is shown of some days.
  func thinning(
    of days: TimeSpan, _ shown: ShownOfFlood
  ) throws(CallError) -> OverloadSampling {
    let (span, spans): (TimeSpan, [TimeSpan]) =
      switch shown {
      case .days: (days, self.days(of: days))
      case .running(let span, _): (span, seconds(of: span))
      }
    let keys = try translated { () throws(StoreError) in try store.seriesKeys(touching: span) }
    return OverloadSampling(shown, of: keys, in: days, spans: spans)
  }

  private func seconds(of span: TimeSpan) -> [TimeSpan] {
    (span.start.seconds..<span.end.seconds).map {
      TimeSpan(start: Timestamp(seconds: $0), end: Timestamp(seconds: $0 + 1))
    }
  }

  /// Reads a part, and returns whether it was the last one.
  func read(
    _ thinning: OverloadSampling, nanoseconds: Int64?
  ) throws(CallError) -> Bool {
    let (begin, before) = (SystemCalls.monotonicNanoseconds(), thinning.steps)
    defer { cache.note(steps: thinning.steps - before) }
    let excerpt = thinning.shown.excerpt
    let (wanted, isAdmitted) = (calendars(of: excerpt), isAdmitted(to: excerpt))
    while !thinning.isRead {
      try translated { () throws(StoreError) in
        try store.forEachSeries(withKeys: thinning.nextKeys()) { series in
          guard wanted.contains(series.calendar),
            excerpt.admitsSome(of: series, ownAddresses: ownAddresses)
          else { return }
          let series = series.brief
          guard let placed = prepared(series) else { return }
          if thinning.hasRoom, let few = few(of: series, placed, in: thinning.days, thinning.trial)
          {
            thinning.add(whole: few.lazy.filter { excerpt.isWhole || isAdmitted($0) })
          } else {
            thinning.add(placed, where: isAdmitted)
          }
        }
      }
      if let nanoseconds, SystemCalls.monotonicNanoseconds() - begin > nanoseconds {
        return thinning.isRead
      }
    }
    return true
  }
}
