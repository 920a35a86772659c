package import CivilTime

/// What a status bar says at an instant, and when it has to say something else.
///
/// The text is made safe to show (see ``displayLine(_:)``) and is not yet escaped
/// for any bar: ``WaybarLine`` and its neighbours do that.
package struct BarText: Hashable, Sendable {
  /// What the record is about; its word picks icons and colours.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// Nothing to mention.
    case none
    /// Only an all-day event, or one on a later day.
    case idle
    /// An event begins today.
    case upcoming
    /// An event begins within ``BarSettings/soonSeconds``.
    case soon
    /// An event runs.
    case running
  }

  /// One line: "Standup in 12 min"; "" when there is nothing to mention.
  package let text: String
  /// Lines: the date, today's events, and what is next.
  package let tooltip: String
  package let state: State
  /// The word of ``state``, then those of "all-day" (such an event is today),
  /// "overlap" (several at once), "tentative" and "reminder" (one is due) that
  /// apply.
  package let classes: [String]
  /// How much of the running event is over, 0 to 100; nil when none runs.
  package let percentage: Int?
  /// The first instant at which one of the above differs if the calendar stays as
  /// it is; nil if that never comes. A follower sleeps until then.
  package let changesAt: Timestamp?

  /// - Parameters:
  ///   - snapshot: It may be older than `now`; what is over by then is left out.
  ///   - zone: That of the person who looks at the bar.
  package init(
    snapshot: SnapshotV1, now: Timestamp, zone: ZoneRules, settings: BarSettings = BarSettings()
  ) {
    let composer = BarComposer(snapshot: snapshot, zone: zone, settings: settings)
    let face = composer.face(at: now)
    text = face.text
    tooltip = face.tooltip
    state = face.state
    classes = face.classes
    percentage = face.percentage
    changesAt = BarText.firstChange(of: face, composer: composer, after: now)
  }

  /// Goes from step to step until the record differs. The first one mostly does;
  /// others do not where a narrow bar cuts the countdown off. After 1500 steps,
  /// a day of minutes, the follower looks again for nothing.
  private static func firstChange(
    of face: BarFace, composer: BarComposer, after now: Timestamp
  ) -> Timestamp? {
    var instant = now
    for _ in 0..<1500 {
      guard let step = composer.nextStep(after: instant) else { return nil }
      if composer.face(at: step) != face { return step }
      instant = step
    }
    return instant
  }
}

/// The part of ``BarText`` that is compared.
struct BarFace: Equatable {
  let text: String
  let tooltip: String
  let state: BarText.State
  let classes: [String]
  let percentage: Int?
}
