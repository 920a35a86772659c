import CalendarBus
import DBus

extension CommandContext {
  /// Shows a notification, if there is a server for them.
  ///
  /// For commands that a click runs: what they print is seen by no one.
  func notify(_ summary: String, _ body: String = "") {
    guard let connection = try? client().connection else { return }
    do throws(DBusError) {
      _ = try connection.callAndWait(try CommandContext.notification(summary, body))
    } catch {
      // What is printed says the same.
    }
  }

  /// Returns the call that shows a notification.
  ///
  /// - Throws: ``DBusError`` if the message cannot be made.
  static func notification(
    _ summary: String, _ body: String = ""
  ) throws(DBusError) -> Message {
    try .call(
      "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
      "org.freedesktop.Notifications", "Notify",
      [
        .string("Datebook"), .uint32(0), .string("x-office-calendar"), .string(summary),
        .string(body.replacing("&", with: "&amp;").replacing("<", with: "&lt;")), .strings([]),
        Row().value, .int32(-1),
      ])
  }
}
