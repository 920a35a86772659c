import CivilTime
import JSON
import Messages

extension BarFormat {
  /// Everything there is, for programs: one JSON object on one line, unescaped but
  /// for JSON. Every key is in every record, 0 or "" where it does not apply, since
  /// widgets trip over a key that is missing.
  static let json = BarFormat("json", UserText("everything, as one JSON object"), write: jsonRecord)

  /// A variable of eww, by `deflisten` or `defpoll`. Its labels show text as it is.
  ///
  /// Source: elkowar.github.io/eww, "Magic variables".
  static let eww = BarFormat(
    "eww", UserText("the same as json, for a variable of eww"), write: jsonRecord)

  private static let jsonRecord: @Sendable (BarText) -> String = { bar in
    let event = bar.event
    return JSONWriter.text(of: [
      "text": .string(bar.text),
      "short": .string(bar.short),
      "tooltip": .string(bar.tooltip),
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
      "start_text": .string(event?.startText ?? ""),
      "end_text": .string(event?.endText ?? ""),
      "all_day": JSONValue(event?.isAllDay ?? false),
      "uid": .string(event?.uid ?? ""),
      "recurrence_id": .string(event?.recurrenceID ?? ""),
      "url": .string(event?.url ?? ""),
      "join_url": .string(event?.joinURL ?? ""),
    ])
  }
}
