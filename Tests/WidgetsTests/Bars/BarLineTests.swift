import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing
import Widgets

@Suite struct `A line for waybar` {
  @Test func `it has what a module reads`() throws {
    var agenda = Agenda()
    try agenda.add("Tea & <cake>", "2026-11-21T09:00", "2026-11-21T10:00")
    #expect(
      try agenda.record(.waybar, at: "2026-11-21T09:45").text
        == #"{"text":"Tea &amp; &lt;cake&gt; · 15 min left","alt":"running","#
        + #""tooltip":"<b>Saturday 21 November 2026</b>\n<tt>09:00–10:00</tt>  "#
        + ##"<span foreground=\"#3b82f6\">●</span> Tea &amp; &lt;cake&gt;","##
        + #""class":["running"],"percentage":75}"#)
  }

  @Test func `an empty day is a valid and quiet record`() throws {
    #expect(
      try Agenda().record(.waybar, at: "2026-11-21T09:45").text
        == #"{"text":"","alt":"none","tooltip":"<b>Saturday 21 November 2026</b>\nNo events today","#
        + #""class":["none"],"percentage":0}"#)
  }

  @Test(arguments: hostileTitles)
  func `a hostile title runs, recolours and blanks nothing`(_ title: String) throws {
    var agenda = Agenda()
    try agenda.add(title, "2026-11-21T09:00", "2026-11-21T10:00") { $0.location = title }
    try agenda.add(title, from: "2026-11-21", to: "2026-11-22")
    for width in [1, 8, 20, 60, 1000] {
      for now in ["2026-11-21T08:50", "2026-11-21T09:10", "2026-11-21T11:00"] {
        let bar = try agenda.bar(at: now, settings: BarSettings(maximumColumns: width))
        #expect(bar.text.count <= width)
        let line = BarFormat.waybar.record(bar)
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        let record = try JSONReader.value(of: line, maximumOctets: 1 << 20)
        #expect(record.objectValue?.names == ["text", "alt", "tooltip", "class", "percentage"])
        let text = try #require(record["text"]?.stringValue)
        let tooltip = try #require(record["tooltip"]?.stringValue)
        #expect(isPlainPango(text) && !text.contains("\n"))
        #expect(isPlainPango(withoutOurTags(tooltip)))
        #expect(unescaped(text) == bar.text)
        #expect(record["percentage"]?.integerValue.map { (0...100).contains($0) } == true)
      }
    }
  }

  /// Whether markup has no tag at all and nothing but known entities.
  private func isPlainPango(_ text: String) -> Bool {
    if text.contains(where: { "<>\"'".contains($0) }) { return false }
    return text.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { rest in
        ["amp;", "lt;", "gt;", "quot;", "#39;"].contains { String(rest).hasPrefix($0) }
      }
  }

  /// Returns the markup of a tooltip without the tags that are in it on purpose.
  private func withoutOurTags(_ markup: String) -> String {
    markup.replacing(
      /<\/?(b|tt)>|<span foreground="#[0-9a-f]{6}">|<span alpha="55%">|<\/span>/, with: "")
  }

  private func unescaped(_ text: String) -> String {
    var rest = Substring(text)
    var plain = String.UnicodeScalarView()
    let entities: [(String, Unicode.Scalar)] = [
      ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
    ]
    while let first = rest.unicodeScalars.first {
      if let (entity, scalar) = entities.first(where: {
        rest.unicodeScalars.starts(with: $0.0.unicodeScalars)
      }) {
        plain.append(scalar)
        rest.unicodeScalars.removeFirst(entity.unicodeScalars.count)
      } else {
        plain.append(first)
        rest.unicodeScalars.removeFirst()
      }
    }
    return String(plain)
  }
}

@Suite struct `A plain line` {
  @Test func `it is the text itself`() throws {
    var agenda = Agenda()
    try agenda.add("Tea & <cake>", "2026-11-21T09:00", "2026-11-21T10:00")
    #expect(try agenda.record(at: "2026-11-21T08:50").text == "Tea & <cake> in 10 min")
    #expect(try Agenda().record(at: "2026-11-21T08:50").text == "")
  }

  @Test(arguments: hostileTitles)
  func `a hostile title commands no terminal`(_ title: String) throws {
    var agenda = Agenda()
    try agenda.add(title, "2026-11-21T09:00", "2026-11-21T10:00")
    let line = try agenda.record(at: "2026-11-21T08:50").text
    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(line.hasSuffix(" in 10 min"))
  }
}
