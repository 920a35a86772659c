extension DesktopNotifier {
  /// The user's settings of notifications.
  struct Settings {
    /// The Snooze actions, in order.
    let snoozes: [SnoozeStep]
    /// Whether a location can be opened on a map.
    let offersMap: Bool
    let urgency: NotificationUrgency
    /// How long a server may not answer before that is a problem; the agent waits on.
    let patienceMilliseconds: Int
  }
}
