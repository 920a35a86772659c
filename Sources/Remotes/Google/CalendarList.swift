import JSON
import Platform
import Sync

/// The list of a user's calendars, of Google's own API: its CalDAV does not find all, or colours.
///
/// Source: developers.google.com/calendar/api/v3/reference/calendarList.
enum CalendarList {
  /// Reads one page of the list.
  ///
  /// - Parameter home: the path of the CalDAV server that has the calendars.
  /// - Returns: its calendars, and the token of the next page; empty for none.
  /// - Throws: ``RemoteFailure`` of the kind `malformed` for anything else.
  static func read(
    _ response: HTTPResponse, home: String
  ) throws(RemoteFailure) -> (calendars: [RemoteCollection], next: String) {
    let text = String(decoding: response.body, as: UTF8.self)
    guard let json = try? JSONReader.value(of: text, maximumOctets: 1 << 24),
      json.objectValue != nil
    else {
      throw RemoteFailure(
        .malformed, localized("Google's list of calendars cannot be read."))
    }
    let items = json["items"]?.arrayValue ?? []
    return (
      items.compactMap { calendar($0, home: home) }, json["nextPageToken"]?.stringValue ?? ""
    )
  }

  /// nil for a calendar of which only busy times are shown.
  private static func calendar(_ json: JSONValue, home: String) -> RemoteCollection? {
    let role = json["accessRole"]?.stringValue ?? ""
    guard let id = json["id"]?.stringValue, role != "freeBusyReader",
      json["deleted"]?.boolValue != true
    else { return nil }
    var collection = RemoteCollection(href: home + WebForm.encoded(id) + "/events/")
    collection.name = json["summaryOverride"]?.stringValue ?? json["summary"]?.stringValue ?? id
    collection.color = CollectionProperties.color(json["backgroundColor"]?.stringValue ?? "")
    collection.components = ["VEVENT"]
    collection.isWritable = role == "owner" || role == "writer"
    return collection
  }
}
