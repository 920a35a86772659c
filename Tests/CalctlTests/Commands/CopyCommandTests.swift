import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl copy` {
  @Test func `the copy is like the event, at another time`() throws {
    let session = try Session()
    let id = try session.add(
      "Lunch", "2030-01-07 12:30", "--end", "45m", "--reminder", "15m", "--reminder", "end-5m",
      "--location", "Hall", "--description", "Bring\npens", "--url", "https://example.org/",
      "--color", "red", "--free")
    let copy = try session.json("copy", "lunch", "--start", "2030-01-09")
    #expect(copy["uid"] != .string(id))
    #expect(copy["start-text"] == "2030-01-09T12:30:00+01:00")
    #expect(copy["end-text"] == "2030-01-09T13:15:00+01:00")
    let event = try session.json("show", id)
    for key in ["summary", "location", "description", "url", "color", "busy", "reminders"] {
      #expect(copy[key] == event[key], "\(key)")
    }
    #expect(event["start-text"] == "2030-01-07T12:30:00+01:00")
  }

  @Test(arguments: [
    ("15:00", "2030-01-07T15:00:00+01:00"), ("+1d", "2030-01-08T12:30:00+01:00"),
    ("-30m", "2030-01-07T12:00:00+01:00"), ("2030-07-01", "2030-07-01T12:30:00+02:00"),
    ("2030-01-09 9:00", "2030-01-09T09:00:00+01:00"),
  ])
  func `the start is read as that of calctl edit`(start: String, text: String) throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    #expect(try session.json("copy", id, "--start", start)["start-text"] == .string(text))
  }

  @Test func `of a series one occurrence is copied as an event, and the series with its rule`()
    throws
  {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily", "--end", "15m")
    #expect(
      try session.output("copy", "Standup@2030-01-09", "--title", "Retro", "--start", "15:00")
        .hasPrefix("Added Retro: Wed 9 Jan 2030, 15:00 – 15:15\n"))
    let series = try session.json("copy", id, "--start", "2030-02-04 10:00")
    #expect(series["rrule"] == "FREQ=DAILY")
    #expect(series["start-text"] == "2030-02-04T10:00:00+01:00")
  }

  @Test func `an all-day event keeps its days and the times of its reminders`() throws {
    let session = try Session()
    let id = try session.add(
      "Trip", "2030-01-07", "--end", "3d", "--reminder", "1d 18:00", "--reminder", "9:00")
    let copy = try session.json("copy", id, "--start", "+7d")
    #expect(copy["start-text"] == "2030-01-14" && copy["end-text"] == "2030-01-17")
    #expect(copy["reminders"] == (try session.json("show", id))["reminders"])
    #expect(copy["color"] == (try session.json("show", id))["color"])
  }
}
