import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl move` {
  @Test func `events are moved and named`() throws {
    let session = try Session()
    let ids = try [session.add("Lunch", "2030-01-07 12:30"), session.add("Tea", "2030-01-07")]
    #expect(
      try session.output("move", ids[0], ids[1], "personal")
        == "Moved Lunch to Personal.\nMoved Tea to Personal.\n")
    let answer = try session.json("move", ids[0], "personal")
    #expect(answer["moved"] == [.string(ids[0])])
    #expect(answer["calendar"] == "personal")
    #expect(answer["revision"]?.integerValue ?? 0 > 0)
  }

  @Test func `what is not there is refused`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    let calendar = try session.run("move", id, "nowhere")
    #expect(calendar.code == 3)
    #expect(calendar.errors.contains("nowhere"), "\(calendar.errors)")
    #expect(try session.run("move", id, "nobody", "personal").code == 3)
    let occurrence = try session.run("move", "\(id)/20300108T083000Z", "personal")
    #expect(occurrence.code == 2)
    #expect(occurrence.errors.contains("leave out /20300108T083000Z"), "\(occurrence.errors)")
    let alone = try session.run("move", id)
    #expect(alone.code == 2)
    #expect(alone.errors.contains("CALENDAR is missing"), "\(alone.errors)")
  }
}
