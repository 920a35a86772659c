import JSON
import TestSupport
import Testing
import Widgets

@testable import CalctlCommands

@Suite struct `calctl bar` {
  @Test func `a line for each bar`() throws {
    let session = try Session()
    _ = try session.add("Lunch", "in 2 h", "--end", "3 h")
    let plain = try session.output("bar")
    #expect(plain.hasPrefix("Lunch ") && plain.split(separator: "\n").count == 1, "\(plain)")
    #expect(try session.output("bar", "--format", "plain").hasPrefix("Lunch "))
    let text = try session.output("bar", "--format=waybar")
    let waybar = try JSONReader.value(of: text, maximumOctets: 1 << 20)
    #expect(waybar["text"]?.stringValue?.hasPrefix("Lunch ") == true)
  }

  @Test func `an unknown bar is refused with the known ones`() throws {
    let outcome = try Session(hasAgent: false).run("bar", "--format", "dzen")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("\"dzen\" must be one of plain, text, template, json, waybar"))
  }

  @Test(arguments: BarFormat.all.map(\.name).filter { $0 != "template" })
  func `each format is printed with a newline at its end`(_ format: String) throws {
    let session = try Session()
    _ = try session.add("Lunch", "in 2 h", "--end", "3 h")
    let output = try session.output("bar", "--format", format)
    #expect(output.contains("Lunch") && output.hasSuffix("\n") && !output.hasSuffix("\n\n"))
  }

  @Test func `width, count, template and calendars are taken`() throws {
    let session = try Session()
    _ = try session.add("Lunch", "in 10 h", "--end", "11 h", "--location", "Hall")
    #expect(try session.output("bar", "--template", "{summary}[ @ {location}]") == "Lunch @ Hall\n")
    #expect(
      try session.output("bar", "--format=tmux", "--template", "#{summary}", "--max-width=5")
        == "##Lun…\n")
    _ = try session.output("calendars", "add", "Work")
    #expect(try session.output("bar", "--calendar", "WORK") == "\n")
    #expect(try session.output("bar", "--calendar", "personal").contains("Lunch"))
    #expect(try session.run("bar", "--calendar", "nope").code == 3)
  }

  @Test func `hours and --ahead choose the events that count`() throws {
    let session = try Session()
    _ = try session.add("Choir", "in 30 h", "--end", "31 h")
    #expect(try session.output("bar").contains("Choir"))
    #expect(try session.output("bar", "--ahead", "29") == "\n")
    #expect(try session.output("bar", "--ahead", "31").contains("Choir"))
    #expect(try session.output("bar", "--hours", "0:00-23:59").contains("Choir"))
  }

  @Test func `events are filtered before the list of next ones is cut`() throws {
    let session = try Session()
    for minute in 0..<7 {
      _ = try session.add("Night \(minute)", "tomorrow 03:0\(minute)", "--end", "1 min")
    }
    _ = try session.add("Work", "tomorrow 12:00", "--end", "1 h")
    #expect(try session.output("bar", "--hours", "11:00-13:00").hasPrefix("Work "))
    #expect(try session.run("bar", "--hours", "working").code == 0)
    let names = ["bar", "--template", "{summary}", "--max-width", "200", "--count", "8"]
    let all = try session.run(names).output
    #expect(all.split(separator: " │ ").count == 8, "\(all)")
  }

  @Test func `declined events count with --declined`() throws {
    let session = try Session()
    try session.home.write(
      """
      BEGIN:VCALENDAR\r
      BEGIN:VEVENT\r
      UID:sales\r
      DTSTART:20200101T000000Z\r
      DURATION:P9000D\r
      SUMMARY:Sales call\r
      ATTENDEE;PARTSTAT=DECLINED:mailto:me@example.org\r
      END:VEVENT\r
      END:VCALENDAR\r

      """, to: "sales.ics")
    _ = try session.output("import", session.home.file("sales.ics"))
    #expect(try session.output("bar") == "\n")
    #expect(try session.output("bar", "--declined").hasPrefix("Sales call · until "))
    let snapshot = ["snapshot", "--declined"]
    #expect(try session.run(snapshot).output.contains("\"now\":[{\"uid\":\"sales\""))
    #expect(try session.run(snapshot + ["--hours", "working"]).code == 0)
    #expect(try session.run(snapshot + ["--hours", "late"]).errors.contains("calctl snapshot --h"))
    #expect(try session.output("next") == session.output("next", "--calendar", "personal"))
  }

  @Test func `a click opens the page and the meeting of the shown event`() throws {
    let session = try Session()
    let folder = session.home
    try folder.write("#!/bin/sh\necho \"$1\" >>\(folder.file("opened"))\n", to: "xdg-open")
    _ = try Subprocess.run("chmod", ["+x", folder.file("xdg-open")])
    func act(_ action: String) throws -> Subprocess.Outcome {
      try session.shell("PATH=\(folder.path):$PATH; export PATH; calctl bar --do \(action)")
    }
    #expect(try act("open").errors.contains("no event is shown"))
    _ = try session.add("Walk", "in 3 h", "--end", "4 h")
    #expect(try act("join").errors.contains("Walk has no meeting address"))
    _ = try session.add(
      "Call", "in 2 h", "--end", "3 h", "--location", "https://meet.jit.si/Call", "--url",
      "https://example.org/42")
    for action in ["open", "join"] { #expect(try act(action).code == 0) }
    let opened = String(decoding: folder.read("opened") ?? [], as: UTF8.self)
    #expect(opened == "https://example.org/42\nhttps://meet.jit.si/Call\n")
    #expect(try act("snooze").errors.contains("no reminder is due"))
    #expect(try session.run("bar", "--do", "next", "--follow").code == 2)
    #expect(try session.output("bar", "--do", "next") == "")
  }

  @Test func `privacy and theme change the output`() throws {
    let session = try Session()
    _ = try session.add("Secret", "in 2 h", "--end", "3 h")
    #expect(try session.output("bar", "--privacy", "busy").hasPrefix("Busy "))
    #expect(try session.output("bar", "--privacy", "nothing") == "\n")
    let waybar = try session.output("bar", "--privacy", "nothing", "--format", "waybar")
    #expect(waybar.contains("\"tooltip\"") && !waybar.contains("No events"), "\(waybar)")
    let dark = try session.output("bar", "--format", "eww", "--theme", "dark")
    #expect(dark.contains("\"scheme\":\"dark\""))
    let snapshot = try session.output("snapshot", "--privacy", "busy", "--theme", "dark")
    #expect(!snapshot.contains("Secret") && snapshot.contains("\"scheme\":\"dark\""))
    #expect(try session.output("snapshot").contains("Secret"))
  }

  @Test func `privacy and calendar can be combined, and free events hide no meeting`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Work")
    _ = try session.add("Secret", "in 150 min", "--end", "1h", "--calendar", "Work")
    for minutes in 60..<68 { _ = try session.add("Free", "in \(minutes) min", "--free") }
    let busy = try session.output("bar", "--privacy", "busy")
    #expect(busy.hasPrefix("Busy in 2 h"), "\(busy)")
    #expect(try session.output("bar", "--calendar", "work", "--privacy", "busy") == busy)
    #expect(try session.output("bar", "--calendar", "personal", "--privacy", "busy") == "\n")
    #expect(try session.output("bar", "--calendar", "work").hasPrefix("Secret in 2 h"))
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let message: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Refusal(arguments: ["--template", "{sumary}"], message: "(did you mean {summary}?)"),
    Refusal(
      arguments: ["--template", "{summary"],
      message: "--template: a \"{\" is not closed; write {{ for the character itself"),
    Refusal(arguments: ["--format", "template"], message: "--format template needs --template"),
    Refusal(
      arguments: ["--max-width", "0"], message: "--max-width: \"0\" must be a number from 1"),
    Refusal(
      arguments: ["--count", "21"], message: "--count: \"21\" must be a number from 1 to 20"),
    Refusal(
      arguments: ["--ahead", "0"], message: "--ahead: \"0\" must be a number from 1 to 8784"),
    Refusal(arguments: ["--hours", "late"], message: "--hours: "),
    Refusal(
      arguments: ["--format", "genmon", "--follow"],
      message: "genmon runs calctl again by itself; leave out --follow"),
  ])
  func `options that make no bar are refused without a bus`(_ refusal: Refusal) throws {
    let outcome = try Session(hasAgent: false).run(["bar"] + refusal.arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(refusal.message), "\(outcome.errors)")
  }

  @Test func `a follower prints a line when an event is added`() throws {
    let session = try Session()
    let bar = try session.start("bar", "--follow")
    #expect(try bar.lines(1) == [""])
    _ = try session.add("Tea", "in 3 h")
    #expect(try bar.lines(2).last?.hasPrefix("Tea ") == true)
  }

  @Test func `a follower ends when its reader does`() throws {
    let session = try Session()
    let pipeline = try session.startShell(
      "{ calctl bar --format waybar --follow; echo \"code $?\" >&2; } | head -n 1")
    let outcome = try pipeline.wait()
    #expect(outcome.errors == "code 0\n")
    #expect(outcome.output.hasPrefix("{"))
  }

  @Test func `a follower ends with the bus, and says so`() throws {
    let session = try Session()
    let bar = try session.start("bar", "--follow")
    _ = try bar.lines(1)
    session.bus.stop()
    let outcome = try bar.wait()
    #expect(outcome.code == ExitCode.noAgent.rawValue)
    #expect(outcome.errors.hasPrefix("calctl: lost the session bus"), "\(outcome.errors)")
  }
}
