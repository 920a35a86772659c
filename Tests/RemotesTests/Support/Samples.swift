/// Texts that servers send and are sent.
enum Sample {
  static func event(_ uid: String, _ summary: String = "Tea") -> String {
    [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Datebook//Tests//EN", "BEGIN:VEVENT",
      "UID:\(uid)", "DTSTAMP:20261101T120000Z", "DTSTART:20261121T093000Z",
      "DTEND:20261121T100000Z", "SUMMARY:\(summary)", "END:VEVENT", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
  }

  /// A multistatus of these responses.
  static func multistatus(_ responses: [String], token: String? = nil) -> String {
    """
    <?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" \
    xmlns:s="http://calendarserver.org/ns/">\(responses.joined())\
    \(token.map { "<d:sync-token>\($0)</d:sync-token>" } ?? "")</d:multistatus>
    """
  }

  /// A response with properties that were found.
  static func found(_ href: String, _ properties: String) -> String {
    """
    <d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>\
    <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
    """
  }

  /// A response with a status of its own.
  static func status(_ href: String, _ status: String) -> String {
    "<d:response><d:href>\(href)</d:href><d:status>HTTP/1.1 \(status)</d:status></d:response>"
  }

  /// The response of an item in a listing.
  static func listed(_ href: String, _ etag: String) -> String {
    found(href, "<d:getetag>\(etag)</d:getetag><d:resourcetype/>")
  }

  /// The response of an item in a multiget.
  static func item(_ href: String, _ etag: String, _ text: String) -> String {
    found(
      href, "<d:getetag>\(etag)</d:getetag><c:calendar-data><![CDATA[\(text)]]></c:calendar-data>")
  }

  /// The response of the collection itself.
  static func collection(_ href: String, _ properties: String = "") -> String {
    found(href, "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>\(properties)")
  }
}
