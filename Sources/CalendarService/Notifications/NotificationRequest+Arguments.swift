import CalendarModel
import DBus
import Platform

extension NotificationRequest {
  /// Returns the arguments of Notify.
  ///
  /// - Parameters:
  ///   - capabilities: the capabilities that the server reports.
  ///   - urgency: the urgency of the settings, or a lower one.
  ///
  /// Source: Desktop Notifications Specification 1.2.
  func arguments(
    _ text: NotificationText, capabilities: Set<String>, _ settings: DesktopNotifier.Settings,
    urgency: NotificationUrgency
  ) -> [Value] {
    // A notification that replaces one on the screen makes no second sound.
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
      // 0 means that it never expires. Without actions nobody could close it, and notify-osd would
      // show a dialog instead, so -1 leaves the time to the server.
      .int32(hasActions ? 0 : -1),
    ]
  }

  /// Returns alternating keys and labels, the most useful first: GNOME Shell shows only three.
  private func actions(
    _ settings: DesktopNotifier.Settings, _ text: NotificationText
  ) -> [String] {
    var actions: [(NotificationBoard.Action, String)] = []
    let single = content.single
    if let single, !single.joinURL.isEmpty { actions.append((.join, localized("Join"))) }
    // A digest without reminders has nothing to snooze.
    let snoozes: [(NotificationBoard.Action, String)] =
      content.reminders.isEmpty
      ? []
      : settings.snoozes.enumerated().compactMap { place, step in
        if step == .start, text.hasStarted { return nil }
        return step.label(of: text.subject).map { (.snooze(place), $0) }
      }
    actions += snoozes.prefix(1)
    // A digest may dismiss thousands that it does not name.
    let count = single == nil ? content.reminders.inOrder.count : 1
    actions.append(
      (
        .dismiss,
        count > 1 ? localized("Dismiss all {count}", ["count": count]) : localized("Dismiss")
      ))
    actions += snoozes.dropFirst()
    // With a meeting's link, a web address as the location is the same meeting.
    if settings.offersMap, let single, PlaceText.canBeLookedUp(single.location),
      single.joinURL.isEmpty || !single.location.contains("://")
    {
      actions.append((.locate, localized("Open location")))
    }
    return actions.flatMap { [$0.key, $1] }
  }
}
