package import CivilTime

/// The output for a bar at an instant, and when it must be printed again.
package struct BarRecord: Hashable, Sendable {
  /// The record in the bar's format, without the final newline.
  package let text: String
  /// The first instant at which ``text`` differs if the calendar does not change; nil if never.
  ///
  /// A follower sleeps until then.
  package let changesAt: Timestamp?
  /// See ``BarText/event``.
  package let event: BarEvent?
  /// See ``BarText/reminder``.
  package let reminder: SnapshotReminder?
  /// See ``BarText/choices``.
  package let choices: Int

  /// - Parameters:
  ///   - snapshot: May be older than `now`; events that are over are left out.
  ///   - zone: The zone of the person who sees the bar.
  ///   - times: Their language and customs.
  package init(
    _ format: BarFormat, snapshot: SnapshotV1, now: Timestamp, zone: ZoneRules, times: TimeText,
    settings: BarSettings = BarSettings()
  ) {
    let composer = BarComposer(
      snapshot: snapshot, zone: zone, times: times, settings: settings)
    let shown = composer.text(at: now)
    text = format.record(shown)
    choices = shown.choices
    event = shown.event
    reminder = shown.reminder
    changesAt = BarRecord.firstChange(of: text, format, composer, after: now)
  }

  /// Returns the first step at which the record differs.
  ///
  /// Mostly that is the first step. Others do not change the record if a narrow bar cuts the
  /// countdown off, or a format omits it. After 1500 steps, a day of minutes, it gives up: the
  /// follower then wakes without a change.
  private static func firstChange(
    of text: String, _ format: BarFormat, _ composer: BarComposer, after now: Timestamp
  ) -> Timestamp? {
    var instant = now
    for _ in 0..<1500 {
      guard let step = composer.nextStep(after: instant) else { return nil }
      if format.record(composer.text(at: step)) != text { return step }
      instant = step
    }
    return instant
  }
}
