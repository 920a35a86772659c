import CalendarModel
import CivilTime
import DBus
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Notifications that are asked for` {
  /// A digest of so many reminders.
  private func digest(
    _ subject: String, _ reminders: [String], tooOld: Int = 0
  ) -> NotificationContent {
    var content = NotificationContent(
      digest: [], tooOld: tooOld, counted: tooOld, subject: subject, isNew: true
    ) {
      _ in
      NotificationText(digest: [], tooOld: 1, now: .earliest, zone: .utc, markup: false)
    }
    content.stand(for: reminders)
    return content
  }

  private func numbers(_ count: Int) -> [String] { (0..<count).map { "reminder-\($0)" } }

  @Test func `are found by what they stand for, and by what follows on them`() {
    var requests = NotificationRequests()
    let request = NotificationRequest(digest("a", ["1", "2"]))
    requests.add(request)
    requests.follow(request, with: digest("a", ["2", "3"]))
    for reminder in ["1", "2", "3"] { #expect(requests.request(for: reminder) === request) }
    // What follows is replaced by something else.
    requests.follow(request, with: digest("a", ["2", "4"]))
    #expect(requests.request(for: "3") == nil)
    #expect(requests.request(for: "4") === request)
    requests.end(request)
    for reminder in ["1", "2", "3", "4"] { #expect(requests.request(for: reminder) == nil) }
    #expect(requests["a"] == nil)
  }

  @Test func `the newest of several is found, and each lets go of what is withdrawn`() {
    var requests = NotificationRequests()
    let (first, second) = (
      NotificationRequest(digest("a", ["1", "2"])), NotificationRequest(digest("b", ["2"]))
    )
    requests.add(first)
    requests.add(second)
    #expect(requests.request(for: "2") === second)
    requests.end(second)
    #expect(requests.request(for: "2") === first)
    requests.withdraw("2")
    #expect(requests.request(for: "2") == nil)
    #expect(!first.isOver)
    requests.withdraw("1")
    #expect(first.isOver)
    // One that is over may have been replaced by another of its subject.
    let third = NotificationRequest(digest("a", ["5"]))
    requests.add(third)
    requests.end(first)
    #expect(requests["a"] === third)
  }

  @Test func `those that were refused wait, with what was to follow on them`() {
    var requests = NotificationRequests()
    let (first, second) = (
      NotificationRequest(digest("a", ["1", "2"])), NotificationRequest(digest("b", ["3"]))
    )
    requests.add(first)
    requests.add(second)
    requests.follow(first, with: digest("a", ["2"]))
    second.refuse(DBusError(.failed, "no"))
    first.refuse(DBusError(.failed, "too many"))
    #expect(requests.refused.map(\.content.refusals.reason) == ["too many", "no"])
    #expect(first.next == nil && first.content.refusals.count == 1)
    #expect(first.content.reminders.inOrder == ["2"])
    requests.withdraw("2")
    #expect(requests.refused.map(\.content.subject) == ["b"])
    #expect(requests["a"] == nil)
  }

  @Test func `what was refused and counted is counted by what takes its place`() {
    let request = NotificationRequest(digest("a", ["1"], tooOld: 3))
    request.next = digest("a", ["1", "2"], tooOld: 2)
    request.refuse(DBusError(.failed, "no"))
    #expect(request.content.tooOld == 5)
    #expect(request.content.reminders.inOrder == ["1", "2"])
  }

  @Test func `one that was refused is tried again ten times, ever less often`() {
    let waits = (1...11).map { NotificationRetry.milliseconds(after: $0) }
    #expect(
      waits
        == [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, nil])
    func refused(_ count: Int, _ why: String) -> NotificationRefusals {
      (0..<count).reduce(into: NotificationRefusals()) { refusals, _ in
        refusals.add(DBusError(.failed, why))
      }
    }
    #expect(NotificationRetry.problem(nil, refused: []) == nil)
    #expect(
      NotificationRetry.problem("too many", refused: [refused(10, "too many")])
        == "no notification: too many; it is tried again soon")
    #expect(
      NotificationRetry.problem(nil, refused: [refused(11, "too many"), refused(12, "no")])
        == "the server refuses 2 notifications, but shows others: too many; they are tried again "
        + "with the next reminder")
  }

  @Test func `thousands of one digest, and of what follows on it, go one by one`() {
    var requests = NotificationRequests()
    let request = NotificationRequest(digest("a", numbers(10_000)))
    requests.add(request)
    requests.follow(request, with: digest("a", numbers(10_000)))
    #expect(numbers(10_000).allSatisfy { requests.request(for: $0) === request })
    for reminder in numbers(9_999) { requests.withdraw(reminder) }
    #expect(request.content.reminders.inOrder == ["reminder-9999"])
    #expect(request.next?.reminders.inOrder == ["reminder-9999"])
    requests.withdraw("reminder-9999")
    #expect(request.isOver)
  }
}
