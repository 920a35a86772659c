package import CivilTime
package import Messages

/// The text of a status bar at an instant.
///
/// The texts are made safe to show (see ``displayLine(_:)``) and are not yet
/// escaped for any bar: that is what a ``BarFormat`` does.
package struct BarText: Hashable, Sendable {
  /// The subject of the record; its word selects icons and colors.
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
    /// The agent does not answer, so that nothing is known.
    case stale
  }

  /// One line: "Standup in 12 min"; "" when there is nothing to mention.
  package let text: String
  /// The same about the first event alone, in at most ``shortCharacters``.
  package let short: String
  /// Lines: the date, today's events, and what is next.
  package let tooltip: String
  /// "Join": the label of what opens ``BarEvent/joinURL``.
  package let joinLabel: String
  package let state: State
  /// The word of ``state``, then those of "all-day" (such an event is today),
  /// "overlap" (several at once), "tentative" and "reminder" (one is due) that
  /// apply.
  package let classes: [String]
  /// How much of the running event is over, 0 to 100; nil when none runs.
  package let percentage: Int?
  /// Whether the screen is light or dark; nil where the snapshot does not say.
  package let scheme: ColorScheme?
  /// The event that is named first; nil when there is nothing to mention.
  package let event: BarEvent?
  /// How many are on, or begin, at the same time and are not named.
  package let others: Int
  /// How many events there are to choose from with ``BarSettings/skip``.
  package let choices: Int

  /// The most characters of ``short``.
  package static let shortCharacters = 20

  /// Returns the text of a bar while the agent does not answer.
  package static func stale(in language: Language) -> BarText {
    let text = language.string(UserText("calendar?"))
    return BarText(
      text: text, short: text, tooltip: language.string(UserText("datebookd does not answer")),
      joinLabel: "", state: .stale, classes: [State.stale.rawValue], percentage: nil, scheme: nil,
      event: nil, others: 0, choices: 0)
  }

  init(
    text: String, short: String, tooltip: String, joinLabel: String, state: State,
    classes: [String], percentage: Int?, scheme: ColorScheme?, event: BarEvent?, others: Int,
    choices: Int
  ) {
    self.text = text
    self.short = short
    self.tooltip = tooltip
    self.joinLabel = joinLabel
    self.state = state
    self.classes = classes
    self.percentage = percentage
    self.scheme = scheme
    self.event = event
    self.others = others
    self.choices = choices
  }

  /// - Parameters:
  ///   - snapshot: It may be older than `now`; what is over by then is left out.
  ///   - zone: That of the person who looks at the bar, like the language.
  package init(
    snapshot: SnapshotV1, now: Timestamp, zone: ZoneRules, language: Language,
    settings: BarSettings = BarSettings()
  ) {
    self = BarComposer(snapshot: snapshot, zone: zone, language: language, settings: settings)
      .text(at: now)
  }
}

/// The event that a bar names, in texts that are safe to show.
package struct BarEvent: Hashable, Sendable {
  /// The title on one line, "(no title)" where it has none.
  package let summary: String
  /// "in 12 min", "at 17:00", "tomorrow 09:00", "12 min left", "until 17:00",
  /// "all day".
  package let countdown: String
  /// "09:30", "tomorrow 09:30"; "" for an all-day event.
  package let startText: String
  /// The same for the end.
  package let endText: String
  /// "Room 4"; "" where there is none.
  package let location: String
  /// The calendar's name.
  package let calendar: String
  /// The state of the event alone.
  package let state: BarText.State
  package let start: Timestamp
  package let end: Timestamp
  package let isAllDay: Bool
  /// "#3b82f6"; "" where neither it nor its calendar has one.
  package let color: String
  /// See ``SnapshotEvent/uid``; as it came, not made safe.
  package let uid: String
  /// See ``SnapshotEvent/recurrenceID``.
  package let recurrenceID: String
  /// The address of its page, as far as ``link(_:)`` lets it through; else "".
  package let url: String
  /// The address to join the meeting, likewise.
  package let joinURL: String
}

/// Returns an address that a bar may hand to a browser: one of http or https,
/// with nothing in it that ends a shell's quotes; "" for anything else.
///
/// A widget mostly runs a shell command on a click, and the address comes from a
/// stranger: characters that RFC 3986 does not allow are refused, and the two that it
/// allows but that are special in a shell's quotes are percent-encoded.
func link(_ address: String) -> String {
  let folded = address.prefix(8).lowercased()
  guard folded.hasPrefix("https://") || folded.hasPrefix("http://") else { return "" }
  var safe = ""
  for octet in address.utf8 {
    switch octet {
    case UInt8(ascii: "'"): safe += "%27"
    case UInt8(ascii: "$"): safe += "%24"
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      safe.unicodeScalars.append(Unicode.Scalar(octet))
    default:
      guard "-._~:/?#[]@!&()*+,;=%".utf8.contains(octet) else { return "" }
      safe.unicodeScalars.append(Unicode.Scalar(octet))
    }
  }
  return safe
}
