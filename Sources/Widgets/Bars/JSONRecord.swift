import CivilTime
import JSON
import Messages

extension BarFormat {
  /// All values, for programs: one JSON object on one line, escaped only for JSON.
  ///
  /// Every record has every key, with 0 or "" if it does not apply, since widgets often fail on a
  /// missing key. The keys with underscores are the same as those with hyphens: scripts know them,
  /// and in eww a name after a dot has no hyphen.
  static let json = BarFormat("json", UserText("everything, as one JSON object"), write: jsonRecord)

  /// A variable of eww, by `deflisten` or `defpoll`; its labels show plain text.
  ///
  /// Source: elkowar.github.io/eww, "Magic variables".
  static let eww = BarFormat(
    "eww", UserText("the same as json, for a variable of eww"), write: jsonRecord)

  private static let jsonRecord: @Sendable (BarText) -> String = { bar in
    let event = bar.event
    return JSONWriter.text(of: [
      "text": .string(bar.text),
      "short": .string(bar.short),
      "tooltip": .string(bar.tooltip.text),
      "state": .string(bar.state.rawValue),
      "class": .array(bar.classes.map(JSONValue.string)),
      "percentage": JSONValue(bar.percentage ?? 0),
      "scheme": .string(bar.scheme?.rawValue ?? ""),
      "count": JSONValue(bar.others),
      "summary": .string(event?.summary ?? ""),
      "countdown": .string(event?.countdown ?? ""),
      "location": .string(event?.location ?? ""),
      "calendar": .string(event?.calendar ?? ""),
      "color": .string(event?.color ?? ""),
      "start": .integer(event?.start.seconds ?? 0),
      "end": .integer(event?.end.seconds ?? 0),
      "start-text": .string(event?.startText ?? ""),
      "start_text": .string(event?.startText ?? ""),
      "end-text": .string(event?.endText ?? ""),
      "end_text": .string(event?.endText ?? ""),
      "all-day": JSONValue(event?.isAllDay ?? false),
      "all_day": JSONValue(event?.isAllDay ?? false),
      "uid": .string(event?.uid ?? ""),
      "recurrence-id": .string(event?.recurrenceID ?? ""),
      "recurrence_id": .string(event?.recurrenceID ?? ""),
      "url": .string(event?.url ?? ""),
      "join-url": .string(event?.joinURL ?? ""),
      "join_url": .string(event?.joinURL ?? ""),
    ])
  }
}
