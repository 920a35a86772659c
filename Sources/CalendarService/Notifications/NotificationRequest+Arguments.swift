import CalendarModel
import DBus

extension NotificationRequest {
  /// Returns what Notify is called with.
  ///
  /// - Parameters:
  ///   - capabilities: what the server says that it can do.
  ///   - urgency: that of the settings, or less.
  ///
  /// Source: Desktop Notifications Specification 1.2.
  func arguments(
    _ text: NotificationText, capabilities: Set<String>, _ settings: DesktopNotifier.Settings,
    urgency: NotificationUrgency
  ) -> [Value] {
    // What is on the screen already, with other words, was heard.
    let isSilent = (replaced != 0 || content.isHeard) && !content.isNew
    let hasActions = capabilities.contains("actions")
    return [
      .string("Datebook"), .uint32(replaced), .string("appointment-soon"), .string(text.summary),
      .string(text.body), .strings(hasActions ? actions(settings, text) : []),
      .row([
        ("urgency", .byte(urgency.level)), ("category", .string("x-datebook.reminder")),
        ("desktop-entry", .string("org.datebook.Calendar")),
        isSilent
          ? ("suppress-sound", .boolean(true)) : ("sound-name", .string("alarm-clock-elapsed")),
      ]),
      // Never expires. A server without actions is one whose notifications nobody can close, and
      // notify-osd shows a dialog in place of one that does not expire: it keeps its own time.
      .int32(hasActions ? 0 : -1),
    ]
  }

  /// Keys and labels in turn, in the order in which they are needed: some servers show the first three and no
  /// more (GNOME Shell).
  private func actions(
    _ settings: DesktopNotifier.Settings, _ text: NotificationText
  ) -> [String] {
    var actions: [(NotificationBoard.Action, String)] = []
    let single = content.single
    if let single, !single.joinURL.isEmpty { actions.append((.join, "Join")) }
    // What only counts has nothing that could come back.
    let snoozes: [(NotificationBoard.Action, String)] =
      content.reminders.isEmpty
      ? []
      : settings.snoozes.enumerated().compactMap { place, step in
        if step == .start, text.hasStarted { return nil }
        return step.label(of: text.subject).map { (.snooze(place), $0) }
      }
    actions += snoozes.prefix(1)
    // Of a digest thousands may go that it does not name.
    let count = single == nil ? content.reminders.inOrder.count : 1
    actions.append((.dismiss, count > 1 ? "Dismiss all \(count)" : "Dismiss"))
    actions += snoozes.dropFirst()
    // Beside a meeting's address, a place that is one is that of the meeting.
    if settings.offersMap, let single, PlaceText.canBeLookedUp(single.location),
      single.joinURL.isEmpty || !single.location.contains("://")
    {
      actions.append((.locate, "Open location"))
    }
    return actions.flatMap { [$0.key, $1] }
  }
}
