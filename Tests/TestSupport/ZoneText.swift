/// A VTIMEZONE that has the same offset at all times.
///
/// - Parameters:
///   - id: its TZID, as it stands in the text.
///   - offset: "+0530".
package func zoneComponent(_ id: String, _ offset: String) -> String {
  "BEGIN:VTIMEZONE\r\nTZID:\(id)\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
    + "TZOFFSETFROM:\(offset)\r\nTZOFFSETTO:\(offset)\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
}
