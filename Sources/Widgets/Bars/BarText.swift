package import CivilTime
package import Messages

/// The text of a status bar at an instant.
///
/// The texts are safe to show (see ``displayLine(_:)``); a ``BarFormat`` escapes them for a bar.
package struct BarText: Hashable, Sendable {
  /// The subject of the record; its raw value selects icons and colors.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// Nothing to mention.
    case none
    /// There is only an all-day event, or one on a later day.
    case idle
    /// An event begins today.
    case upcoming
    /// An event begins within ``BarSettings/soonSeconds``.
    case soon
    /// An event is running.
    case running
    /// The agent does not answer, so nothing is known.
    case stale
  }

  /// One line: "Standup in 12 min"; "" when there is nothing to mention.
  ///
  /// During a meeting it also has the one that begins soon. While a reminder is due it is about its
  /// event first. In quiet time it begins with "☾".
  package let text: String
  /// The same text for the first event alone, in at most ``shortColumns`` columns.
  package let short: String
  /// The date, today's events, tomorrow's, and what is next.
  package let tooltip: BarTooltip
  /// "Join": the label of the link to ``BarEvent/joinURL``.
  package let joinLabel: String
  package let state: State
  /// The raw value of ``state``, then the words that apply.
  ///
  /// Those are "all-day" (such an event is today), "overlap" (several at once), "tentative",
  /// "declined", "quiet" (notifications are held back), else "reminder" (one is due), and
  /// "source-problem" (one is stale or waits for a person).
  package let classes: [String]
  /// How much of the running event is over, 0 to 100; nil if none is running.
  package let percentage: Int?
  /// Whether the screen is light or dark; nil if unknown.
  package let scheme: ColorScheme?
  /// The event that is named first; nil if there is nothing to mention.
  package let event: BarEvent?
  /// The due reminder that a click snoozes: that of ``event``, else the most urgent one.
  package let reminder: SnapshotReminder?
  /// How many events are running, or begin, at the same time and are not named.
  package let others: Int
  /// How many events there are to choose from with ``BarSettings/skip``.
  package let choices: Int

  /// The most columns of ``short``.
  package static let shortColumns = 20

  /// Returns the text of a bar while the agent does not answer.
  package static func stale(in language: Language) -> BarText {
    let text = language.string(UserText("calendar?"))
    return BarText(
      text: text, short: text,
      tooltip: BarTooltip(lines: [
        .note(language.string(UserText("datebookd does not answer")))
      ]),
      joinLabel: "", state: .stale, classes: [State.stale.rawValue], percentage: nil, scheme: nil,
      event: nil, reminder: nil, others: 0, choices: 0)
  }

  init(
    text: String, short: String, tooltip: BarTooltip, joinLabel: String, state: State,
    classes: [String], percentage: Int?, scheme: ColorScheme?, event: BarEvent?,
    reminder: SnapshotReminder?, others: Int, choices: Int
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
    self.reminder = reminder
    self.others = others
    self.choices = choices
  }

  /// - Parameters:
  ///   - snapshot: May be older than `now`; events that are over are left out.
  ///   - zone: The zone of the person who sees the bar.
  ///   - times: Their language and customs.
  package init(
    snapshot: SnapshotV1, now: Timestamp, zone: ZoneRules, times: TimeText,
    settings: BarSettings = BarSettings()
  ) {
    self = BarComposer(snapshot: snapshot, zone: zone, times: times, settings: settings)
      .text(at: now)
  }
}

/// The event that a bar names, in texts that are safe to show.
package struct BarEvent: Hashable, Sendable {
  /// The title on one line, "(no title)" where it has none.
  package let summary: String
  /// "in 12 min", "at 17:00", "tomorrow 09:00", "12 min left", "until 17:00", "all day".
  package let countdown: String
  /// "09:30", "tomorrow 09:30"; "" for an all-day event. Always on the 24-hour clock.
  package let startText: String
  /// The end in the same form.
  package let endText: String
  /// "Room 4"; "" if there is none.
  package let location: String
  /// The calendar's name.
  package let calendar: String
  /// The state of the event alone.
  package let state: BarText.State
  package let start: Timestamp
  package let end: Timestamp
  package let isAllDay: Bool
  /// "#3b82f6"; "" if neither the event nor its calendar has a color.
  package let color: String
  /// See ``SnapshotEvent/uid``; not made safe to show.
  package let uid: String
  /// See ``SnapshotEvent/recurrenceID``.
  package let recurrenceID: String
  /// The address of its page if ``link(_:)`` accepts it; else "".
  package let url: String
  /// The address to join the meeting, with the same restriction.
  package let joinURL: String
}

/// Returns an address that a bar may pass to a browser; "" for anything else.
///
/// It must be http or https. A widget mostly runs a shell command on a click, and the address comes
/// from somebody else. So characters that RFC 3986 does not allow are refused, and "'" and "$",
/// which are special in a shell's quotes, are percent-encoded.
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
