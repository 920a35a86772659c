import CalendarBus
import CalendarModel
import JSON
import Sync

/// What a source called a calendar when it was last asked.
struct SeenCalendar: Equatable {
  var name: String
  /// `#rrggbb`; empty if it had none.
  var color: String

  init(_ collection: RemoteCollection) {
    (name, color) = (collection.name, collection.color)
  }

  init(_ json: JSONValue) {
    name = json["name"]?.stringValue ?? ""
    color = json["color"]?.stringValue ?? ""
  }

  var json: JSONValue { ["name": .string(name), "color": .string(color)] }

  /// Returns our calendar with the name and colour that the source has given it since.
  ///
  /// What the user has changed here stays.
  ///
  /// - Parameter hasOwnName: whether its name is not the source's.
  func updating(
    _ calendar: CalendarInfo, to collection: RemoteCollection, hasOwnName: Bool
  ) -> CalendarInfo {
    var calendar = calendar
    if !hasOwnName, collection.name != name, calendar.name == name,
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
