import CalendarModel
import CivilTime
import Glibc
import JSON
import Messages
import TestSupport
import Testing
import Widgets

@Suite struct `The formats of bars` {
  /// A day as it is, one with two events at once, one without any, titles as
  /// strangers send them, and no agent.
  private static let days: [(name: String, now: String, agenda: @Sendable () throws -> Agenda)] = [
    (
      "ordinary", "2026-11-21T09:20",
      {
        var agenda = Agenda()
        try agenda.add("Tea & <cake>", "2026-11-21T09:30", "2026-11-21T09:45") {
          $0.location = "Room #4"
          $0.url = "https://meet.jit.si/Tea"
        }
        try agenda.add("Party", "2026-11-21T18:00", "2026-11-22T02:00")
        return agenda
      }
    ),
    (
      "overlap", "2026-11-21T09:32",
      {
        var agenda = Agenda()
        try agenda.add("Conference", "2026-11-21T09:00", "2026-11-21T17:00")
        try agenda.add("Talk", "2026-11-21T09:30", "2026-11-21T10:00")
        try agenda.add("Holiday", from: "2026-11-21", to: "2026-11-22")
        return agenda
      }
    ),
    ("empty", "2026-11-21T09:30", { Agenda() }),
    (
      "hostile", "2026-11-21T09:30",
      {
        var agenda = Agenda()
        let title =
          "--- %{A1:id:}%%{{ #[fg=red]#(id) $${exec id} $Template0 a|bash=id </txt><click>id</click> "
          + "&amp; \\n :smile: \u{1B}[31m\u{202E}\nx"
        try agenda.add(title, "2026-11-21T09:30", "2026-11-21T09:45") { $0.location = title }
        return agenda
      }
    ),
  ]

  @Test(arguments: BarFormat.all.map(\.name))
  func `a golden file is met octet by octet`(_ name: String) throws {
    let format = try #require(BarFormat.named(name))
    var text = ""
    for (day, now, agenda) in Self.days {
      let bar = try agenda().bar(at: now, settings: BarSettings(maximumColumns: 200))
      text += "== \(day)\n\(format.record(bar))\n"
    }
    text += "== stale\n\(format.record(.stale(in: .english)))\n"
    let path = testsDirectory + "/WidgetsTests/Golden/bars/\(name).txt"
    if getenv("DATEBOOK_REWRITE_GOLDEN").map({ String(cString: $0) }) == "1" {
      let file = try #require(fopen(path, "w"))
      #expect(fputs(text, file) >= 0)
      fclose(file)
    }
    let golden = try #require(readFile(path), "\(path) is not there")
    #expect(text == String(decoding: golden, as: UTF8.self))
  }

  @Test(arguments: BarFormat.all.map(\.name))
  func `a record has no control characters and as many lines for any title`(
    _ name: String
  ) throws {
    let format = try #require(BarFormat.named(name))
    let tame = lines(format, "Tea")
    for title in hostileTitles {
      let record = lines(format, title)
      #expect(record.count == tame.count, "\(title.prefix(40))")
      for line in record {
        #expect(
          !line.unicodeScalars.contains {
            $0.properties.generalCategory == .control || (0x202A...0x202E).contains($0.value)
          }, "\(title.prefix(40))")
      }
    }
  }

  private func lines(_ format: BarFormat, _ title: String) -> [Substring] {
    var agenda = Agenda()
    do {
      try agenda.add(title, "2026-11-21T09:00", "2026-11-21T10:00") { $0.location = title }
      return format.record(try agenda.bar(at: "2026-11-21T09:10"))
        .split(separator: "\n", omittingEmptySubsequences: false)
    } catch {
      Issue.record("\(error)")
      return []
    }
  }

  @Test func `names are words that differ, and explanations are phrases`() {
    let names = BarFormat.all.map(\.name)
    #expect(Set(names).count == names.count)
    for format in BarFormat.all {
      #expect(format.name.allSatisfy { $0.isLowercase || $0.isNumber })
      let explanation = format.explanation.english
      #expect(!explanation.isEmpty && !explanation.hasSuffix("."))
      #expect(BarFormat.named(format.name)?.name == format.name)
    }
    #expect(BarFormat.named("dzen") == nil)
  }

  @Test func `what i3bar follows is one array of JSON`() throws {
    let format = try #require(BarFormat.named("i3bar"))
    let record = format.record(.stale(in: .english))
    let text = format.preamble + "\n" + record + format.closing + "\n" + record + "]"
    let lines = text.split(separator: "\n", maxSplits: 1)
    let header = try JSONReader.value(of: String(lines[0]), maximumOctets: 1000)
    #expect(header["version"]?.integerValue == 1 && header["click_events"]?.boolValue == true)
    let array = try JSONReader.value(of: String(lines[1]), maximumOctets: 10_000)
    #expect(array.arrayValue?.count == 2)
    #expect(array[1]?[0]?["full_text"]?.stringValue == "calendar?")
  }
}

/// What each bar would act on, looked for in what it is sent.
@Suite struct `A hostile title in a bar` {
  private func record(_ name: String, _ title: String) throws -> String {
    var agenda = Agenda()
    try agenda.add(title, "2026-11-21T09:00", "2026-11-21T10:00") {
      $0.location = title
      $0.url = "https://meet.jit.si/" + title
    }
    let settings = BarSettings(maximumColumns: 1000)
    return try #require(BarFormat.named(name))
      .record(try agenda.bar(at: "2026-11-21T09:10", settings: settings))
  }

  private func shown(_ title: String) throws -> String {
    var agenda = Agenda()
    try agenda.add(title, "2026-11-21T09:00", "2026-11-21T10:00")
    let settings = BarSettings(maximumColumns: 1000)
    return try agenda.bar(at: "2026-11-21T09:10", settings: settings).text
  }

  @Test(arguments: hostileTitles + ["%%{{A1:x:}", "%\u{301}{", "%{%{%{"])
  func `it is no tag of polybar`(_ title: String) throws {
    let scalars = Array(try record("polybar", title).unicodeScalars)
    #expect(!zip(scalars, scalars.dropFirst()).contains { $0 == "%" && $1 == "{" })
  }

  @Test(arguments: hostileTitles + ["##[fg=red]", "###S", "#\u{301}S"])
  func `it is no format of tmux`(_ title: String) throws {
    // Octets: a mark on a "#" hides it from characters, and not from tmux.
    let record = Array(try record("tmux", title).utf8)
    var plain: [UInt8] = []
    var rest = record[...]
    while let octet = rest.popFirst() {
      if octet == UInt8(ascii: "#") { #expect(rest.popFirst() == octet) }
      plain.append(octet)
    }
    #expect(plain == Array(try shown(title).utf8))
  }

  @Test(arguments: hostileTitles + ["$$", "$$$TEMPLATE1", "${template2 x}", "$${template3}"])
  func `it is no variable of conky`(_ title: String) throws {
    let record = try record("conky", title)
    #expect(!record.replacing("$$", with: "").contains("$"))
    let folded = record.lowercased()
    #expect(!folded.contains("$template") && !folded.contains("${template"))
  }

  @Test(arguments: ["xbar", "argos"], hostileTitles + ["---", "--x", "-"])
  func `it brings no parameter, and no level of a menu`(_ name: String, _ title: String) throws {
    let lines = try record(name, title).split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines where line != "---" {
      #expect(!line.hasPrefix("-"))
      let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      if parts[0] == "Join " {
        #expect(parts[1].hasPrefix(" href=https://") && parts[1].count { $0 == " " } == 1)
      } else if name == "argos" {
        #expect(parts.last == " useMarkup=false emojize=false unescape=false ansi=false")
      } else {
        #expect(parts.count == 1)
      }
      #expect(parts.count <= 2 && parts.last?.contains("|") == false)
    }
    #expect(lines.count { $0 == "---" } <= 2)
  }

  @Test(arguments: hostileTitles)
  func `it closes no element of genmon`(_ title: String) throws {
    let text = try record("genmon", title)
    #expect(text.unicodeScalars.count { $0 == "<" } == 12)
    #expect(text.utf8.starts(with: "<txt>".utf8) && text.hasSuffix("</tool>\n<bar>16</bar>"))
  }

  @Test(arguments: hostileTitles)
  func `it is no markup of tint2`(_ title: String) throws {
    #expect(
      !(try record("tint2", title)).unicodeScalars.contains { "<>\"'".unicodeScalars.contains($0) })
  }

  @Test(arguments: ["json", "eww", "i3bar", "swaybar", "i3blocks"], hostileTitles)
  func `it stays within its text of JSON`(_ name: String, _ title: String) throws {
    let value = try JSONReader.value(of: try record(name, title), maximumOctets: 1 << 20)
    let tame = try JSONReader.value(of: try record(name, "Tea"), maximumOctets: 1 << 20)
    let (record, other) = (value[0] ?? value, tame[0] ?? tame)
    #expect(record.objectValue?.names == other.objectValue?.names)
    #expect((record["text"] ?? record["full_text"])?.stringValue == (try shown(title)))
    #expect(record["markup"] == other["markup"])
  }
}
