import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `The board of notifications` {
  @Test func `a notification ends with the last of its reminders, and no other does`() {
    var board = NotificationBoard()
    board.show(1, reminders: ["a", "b"])
    board.show(2, reminders: ["b"])
    board.show(3, reminders: ["c"])
    #expect(board.withdraw("b") == [2])
    #expect(board.withdraw("b") == [])
    #expect(board.withdraw("a") == [1])
    #expect(board.invoked(1, "dismiss") == nil)
    #expect(board.invoked(3, "dismiss") == .dismiss(["c"]))
    #expect(board.withdraw("c") == [])
  }

  @Test func `an answer means what is left, in order, and counts once`() {
    var board = NotificationBoard()
    board.show(1, reminders: ["c", "a", "b"])
    _ = board.withdraw("a")
    #expect(board.invoked(1, "snooze") == .snooze(["c", "b"], step: 0))
    #expect(board.invoked(1, "snooze") == nil)
    #expect(board.closed(1, reason: 2) == nil)
  }

  @Test func `each action has a key of its own, and no other means anything`() {
    let actions: [NotificationBoard.Action] = [
      .snooze(0), .snooze(1), .snooze(3), .dismiss, .open, .join, .locate,
    ]
    #expect(
      actions.map(\.key) == [
        "snooze", "snooze:1", "snooze:3", "dismiss", "default", "join", "location",
      ])
    for action in actions { #expect(NotificationBoard.Action(key: action.key) == action) }
    for key in ["", "Snooze", "snooze:", "snooze:0", "snooze:-1", "snooze:x"] {
      #expect(NotificationBoard.Action(key: key) == nil)
    }
  }

  @Test func `a number that the server uses again stands for what it shows now`() {
    var board = NotificationBoard()
    board.show(1, reminders: ["a"])
    board.show(1, reminders: ["b"])
    #expect(board.withdraw("a") == [])
    #expect(board.closed(1, reason: 2) == .dismiss(["b"]))
  }

  @Test func `a server that is gone leaves nothing`() {
    var board = NotificationBoard()
    board.show(1, reminders: ["a"])
    board.clear()
    #expect(board.withdraw("a") == [])
    #expect(board.closed(1, reason: 2) == nil)
  }

  @Test func `what goes to where another one was keeps its number, and so does that`() {
    typealias Name = NotificationBoard.Name
    var board = NotificationBoard()
    board.show(1, reminders: ["a"], subject: "A")
    board.show(2, reminders: ["b"], subject: "B")
    board.show(3, reminders: ["d"], subject: "D")
    let renamed = board.rename([
      "a": Name(reminder: "b2", subject: "B"), "b": Name(reminder: "c", subject: "C"),
      "x": Name(reminder: "y", subject: "Y"),
    ])
    #expect(renamed.reminders == ["b2", "c"])
    #expect(board.notification(of: "A") == nil)
    #expect(board.notification(of: "B") == 1 && board.reminders(of: 1) == ["b2"])
    #expect(board.notification(of: "C") == 2 && board.reminders(of: 2) == ["c"])
    // There is one of where it goes, which stays.
    #expect(board.rename(["c": Name(reminder: "d2", subject: "D")]).reminders == [])
    #expect(board.notification(of: "C") == 2 && board.reminders(of: 2) == ["c"])
    #expect(board.notification(of: "D") == 3)
    // The name before means nothing any more.
    #expect(board.withdraw("a") == [] && board.withdraw("b2") == [1])
  }
}
