package import CivilTime
package import Messages

/// The output for a bar at an instant, and when it must be printed again.
package struct BarRecord: Hashable, Sendable {
  /// In the bar's format, without the closing newline.
  package let text: String
  /// The first instant at which ``text`` differs if the calendar stays as it is;
  /// nil if that never comes. A follower sleeps until then.
  package let changesAt: Timestamp?
  /// See ``BarText/event``.
  package let event: BarEvent?
  /// See ``BarText/choices``.
  package let choices: Int

  /// - Parameters:
  ///   - snapshot: It may be older than `now`; what is over by then is left out.
  ///   - zone: That of the person who looks at the bar, like the language.
  package init(
    _ format: BarFormat, snapshot: SnapshotV1, now: Timestamp, zone: ZoneRules, language: Language,
    settings: BarSettings = BarSettings()
  ) {
    let composer = BarComposer(
      snapshot: snapshot, zone: zone, language: language, settings: settings)
    let shown = composer.text(at: now)
    text = format.record(shown)
    choices = shown.choices
    event = shown.event
    changesAt = BarRecord.firstChange(of: text, format, composer, after: now)
  }

  /// Goes from step to step until the record differs. The first one mostly does;
  /// others do not where a narrow bar cuts the countdown off, or a format leaves
  /// it out. After 1500 steps, a day of minutes, it gives up: the follower then wakes
  /// without a change.
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
