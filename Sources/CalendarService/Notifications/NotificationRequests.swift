/// The notifications that were sent but not shown yet, or were refused: one for each subject.
///
/// They are also found by reminders: a digest may have thousands, each of which may be looked up
/// while the server is slow.
struct NotificationRequests {
  private var bySubject: [String: NotificationRequest] = [:]
  /// The requests that have or had a reminder, the newest last.
  private var byReminder: [String: [NotificationRequest]] = [:]

  private var count = 0

  subscript(subject: String) -> NotificationRequest? { bySubject[subject] }

  func contains(_ request: NotificationRequest) -> Bool {
    bySubject[request.content.subject] === request
  }

  /// The requests that were refused, also those that are being retried; the oldest first.
  var refused: [NotificationRequest] {
    bySubject.values.filter { $0.content.refusals.count > 0 }.sorted { $0.place < $1.place }
  }

  /// The new reminders of these requests that were never shown.
  var unseen: Set<String> {
    bySubject.values.reduce(into: []) { unseen, request in
      unseen.formUnion(request.content.unseen)
      if let next = request.next { unseen.formUnion(next.unseen) }
    }
  }

  mutating func add(_ request: NotificationRequest) {
    count += 1
    request.place = count
    bySubject[request.content.subject] = request
    find(request, by: request.content.reminders.inOrder)
  }

  /// Sets the content to show after a request of the same subject, replacing an earlier one.
  mutating func follow(_ request: NotificationRequest, with content: NotificationContent) {
    request.next = content
    find(request, by: content.reminders.inOrder)
  }

  private mutating func find(_ request: NotificationRequest, by reminders: [String]) {
    for reminder in reminders
    where !(byReminder[reminder]?.contains { $0 === request } ?? false) {
      byReminder[reminder, default: []].append(request)
      request.foundBy.append(reminder)
    }
  }

  /// Returns the newest request with a reminder, or whose next one has it.
  func request(for reminder: String) -> NotificationRequest? {
    byReminder[reminder]?.last { $0.stands(for: reminder) }
  }

  /// Whether one of them replaces a notification on the screen.
  func isReplacing(_ notification: UInt32) -> Bool {
    bySubject.values.contains { $0.replaced == notification && !$0.isOver && !$0.isRefused }
  }

  /// Removes a reminder from all requests.
  ///
  /// - Parameter subject: the subject of a request that keeps it; nil for none.
  mutating func withdraw(_ reminder: String, keeping subject: String? = nil) {
    guard let all = byReminder[reminder] else { return }
    let kept = all.filter { $0.content.subject == subject }
    byReminder[reminder] = kept.isEmpty ? nil : kept
    for request in all where request.content.subject != subject {
      request.withdraw(reminder)
      if request.isRefused, request.isOver { end(request) }
    }
  }

  /// Removes a request: it is shown, or never will be.
  mutating func end(_ request: NotificationRequest) {
    guard contains(request) else { return }
    bySubject[request.content.subject] = nil
    for reminder in request.foundBy {
      byReminder[reminder]?.removeAll { $0 === request }
      if byReminder[reminder]?.isEmpty ?? false { byReminder[reminder] = nil }
    }
  }

  /// Removes all requests, with their next content.
  mutating func endAll() {
    for request in bySubject.values { request.next = nil }
    bySubject.removeAll()
    byReminder.removeAll()
  }
}
