import CalendarBus
import DBus

extension CommandContext {
  /// Shows a notification, if there is a server for them.
  ///
  /// For commands that a click runs: what they print is seen by no one.
  ///
  /// - Parameter milliseconds: See ``notification(_:_:milliseconds:)``.
  func notify(_ summary: String, _ body: String = "", milliseconds: Int32 = -1) {
    guard let connection = try? client().connection else { return }
    do throws(DBusError) {
      _ = try connection.callAndWait(
        try CommandContext.notification(summary, body, milliseconds: milliseconds))
    } catch {
      // What is printed says the same.
    }
  }

  /// How long the answer to a click is shown.
  ///
  /// With the time of the server, mako would never close it.
  static let clickMilliseconds: Int32 = 5000

  /// Returns the call that shows a notification.
  ///
  /// - Parameter milliseconds: How long it is shown; -1 for the time of the server.
  /// - Throws: ``DBusError`` if the message cannot be made.
  static func notification(
    _ summary: String, _ body: String = "", milliseconds: Int32 = -1
  ) throws(DBusError) -> Message {
    try .call(
      "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
      "org.freedesktop.Notifications", "Notify",
      [
        .string("Datebook"), .uint32(0), .string("x-office-calendar"), .string(summary),
        .string(body.replacing("&", with: "&amp;").replacing("<", with: "&lt;")), .strings([]),
        Row().value, .int32(milliseconds),
      ])
  }
}
