import CalendarBus
import CalendarModel
import JSON
import Sync

/// What a source called a calendar when it was last asked.
struct SeenCalendar: Equatable {
  var name: String
  /// `#rrggbb`; empty if it had none.
  var color: String
  /// False also for one that the source does not have any more.
  var isWritable: Bool

  init(_ collection: RemoteCollection) {
    (name, color) = (collection.name, collection.color)
    isWritable = collection.isWritable
  }

  init(_ json: JSONValue) {
    name = json["name"]?.stringValue ?? ""
    color = json["color"]?.stringValue ?? ""
    isWritable = json["writable"]?.boolValue ?? true
  }

  var json: JSONValue {
    ["name": .string(name), "color": .string(color), "writable": .bool(isWritable)]
  }

  /// Returns our calendar with the name, colour and rights that the source has given it since.
  ///
  /// What the user has changed here stays.
  func updating(
    _ calendar: CalendarInfo, to collection: RemoteCollection, _ settings: SourceSettings
  ) -> CalendarInfo {
    var calendar = calendar
    // New events go to the default calendar, so it must be writable.
    if collection.isWritable != isWritable, calendar.isReadOnly != isWritable,
      collection.isWritable || !calendar.isDefault
    {
      calendar.isReadOnly = !collection.isWritable || settings.isReadOnly
    }
    if !settings.hasOwnName, collection.name != name, calendar.name == name,
      let new = try? CalendarComposer.name(collection.name)
    {
      calendar.name = new
    }
    if collection.color != color, let old = try? CalendarComposer.color(named: color),
      calendar.color == old, let new = try? CalendarComposer.color(named: collection.color)
    {
      calendar.color = new
    }
    return calendar
  }
}

extension [String: SeenCalendar] {
  /// The calendars by their hrefs, as JSON.
  var json: JSONValue {
    .object(JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
  }

  init(_ json: JSONValue?) {
    self.init(
      (json?.objectValue?.members ?? []).map { ($0.name, SeenCalendar($0.value)) },
      uniquingKeysWith: { first, _ in first })
  }
}
