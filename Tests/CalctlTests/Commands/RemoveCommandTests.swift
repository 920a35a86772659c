import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl rm` {
  @Test func `an event is removed`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    #expect(
      try session.output("rm", id) == "Removed Lunch: Mon 7 Jan 2030, 12:30 – 13:30\n")
    #expect(try session.run("show", id).code == 3)
    #expect(try session.run("rm", id).code == 3)
  }

  @Test func `one occurrence is removed, or it and those after it`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    #expect(
      try session.output("rm", "\(id)/20300108T083000Z")
        == "Removed Standup: Tue 8 Jan 2030, 09:30 – 10:30\n")
    func days() throws -> [String] {
      let agenda = try session.output("agenda", "2030-01-07", "--days", "4")
      return agenda.split(separator: "\n").filter { $0.hasSuffix("2030") }.map(String.init)
    }
    #expect(try days() == ["Mon 7 Jan 2030", "Wed 9 Jan 2030", "Thu 10 Jan 2030"])
    #expect(
      try session.output("rm", "\(id)/20300109T083000Z", "--scope", "this-and-future")
        == "Removed Standup from this occurrence on: Wed 9 Jan 2030, 09:30 – 10:30\n")
    #expect(try days() == ["Mon 7 Jan 2030"])
    #expect(
      try session.output("rm", id)
        == "Removed all occurrences of Standup; the first: Mon 7 Jan 2030, 09:30 – 10:30\n")
    #expect(try days() == [])
  }

  @Test func `as JSON the answer is what was removed`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    let answer = try session.json("rm", id)
    #expect(answer["removed"]?["summary"] == "Lunch")
    #expect(answer["revision"]?.integerValue ?? 0 > 0)
  }

  @Test func `the beginning of an ID removes the only event that has it`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "tomorrow 12:30")
    #expect(
      try session.output("rm", String(id.dropLast(3))).hasPrefix("Removed Lunch: "))
    #expect(try session.run("show", id).code == 3)
  }

  @Test func `a scope that is no word of the bus is refused`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    let outcome = try session.run("rm", id, "--scope", "future")
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("calctl rm: --scope: \"future\""), "\(outcome.errors)")
    #expect(try session.run("rm").code == 2)
  }

  @Test func `removing from an override on prints the occurrence that it overrides`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    _ = try session.output("edit", "\(id)/20300109T083000Z", "--start", "2030-01-20 14:00")
    #expect(
      try session.output("rm", "\(id)/20300109T083000Z", "--scope", "this-and-future")
        == "Removed Standup from this occurrence on: Wed 9 Jan 2030, 09:30\n")
  }
}
