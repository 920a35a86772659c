import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `Zone names` {
  private func meaning(_ id: String, inFile: Set<String> = []) -> ZoneNames.Meaning {
    ZoneNames(
      isInstalled: { (try? FixedZones.shared.rules(named: $0)) != nil },
      isInFile: { inFile.contains($0) }
    ).meaning(of: id)
  }

  @Test(arguments: [
    ("Europe/Berlin", "Europe/Berlin"), ("W. Europe Standard Time", "Europe/Berlin"),
    ("Eastern Standard Time", "America/New_York"), ("India Standard Time", "Asia/Kolkata"),
    ("US-Eastern", "US/Eastern"), ("/mozilla.org/20050126_1/Europe/Berlin", "Europe/Berlin"),
    ("/freeassociation.sourceforge.net/Tzfile/Europe/London", "Europe/London"),
    ("/a/America/Indiana/Indianapolis", "America/Indiana/Indianapolis"),
    ("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Berlin"),
    ("(GMT-05:00) Eastern Time (US & Canada)", "America/New_York"),
    ("GMT-0500", "Etc/GMT+5"), ("UTC-05:00", "Etc/GMT+5"), ("gmt-5", "Etc/GMT+5"),
    ("(UTC-05:00) Somewhere else", "Etc/GMT+5"), ("Europe/berlin", "Europe/Berlin"),
    ("AMERICA/NEW_YORK", "America/New_York"),
    ("/x/america/indiana/INDIANAPOLIS", "America/Indiana/Indianapolis"),
  ])
  func `a name that stands for an installed zone finds it`(_ id: String, _ zone: String) {
    #expect(meaning(id) == .zone(zone))
  }

  @Test(arguments: [
    "UTC", "GMT", "Z", "Etc/UTC", "tzone://Microsoft/Utc", "utc", "GMT+0000", "UTC-00:00",
  ])
  func `UTC has many names`(_ id: String) {
    #expect(meaning(id) == .utc)
  }

  @Test func `an installed name goes before the rules of the file`() {
    #expect(meaning("Europe/Berlin", inFile: ["Europe/Berlin"]) == .zone("Europe/Berlin"))
    #expect(meaning("Custom", inFile: ["Custom"]) == .zone("Custom"))
    #expect(meaning("", inFile: [""]) == .zone("Unnamed"))
    #expect(meaning("GMT-0500", inFile: ["GMT-0500"]) == .zone("GMT-0500"))
  }

  // The same name means the same once the rules are kept, and count as installed.
  @Test(arguments: ["Mars-Base", "/x/Mars/Base", "mars/base"])
  func `the rules of the file are found by the other names that an installed zone has`(_ id: String)
  {
    #expect(meaning(id, inFile: ["Mars/Base"]) == .zone("Mars/Base"))
    let kept = ZoneNames(isInstalled: { $0 == "Mars/Base" }, isInFile: { _ in false })
    #expect(kept.meaning(of: id) == .zone("Mars/Base"))
  }

  @Test(arguments: [
    "Custom", "", "Europe/Nowhere", "../../etc/passwd", "/etc/passwd", "a//b", "\u{0}",
    "GMT+0530", "GMT+99", "GMT+", "GMT5", "GMT-5x", "UTC-05:00:00:00", "(", "()", "(UTC)",
  ])
  func `a name that nobody knows is unknown`(_ id: String) {
    #expect(meaning(id) == .unknown)
  }

  @Test func `no path is asked for that leaves the folder of zones`() {
    var asked: [String] = []
    let names = ZoneNames(
      isInstalled: {
        asked.append($0)
        return false
      }, isInFile: { _ in false })
    _ = names.meaning(of: "/x/../../etc/passwd")
    _ = names.meaning(of: "x/.hidden")
    #expect(asked.allSatisfy { !$0.contains(".") && !$0.hasPrefix("/") })
  }
}

@Suite struct `Windows zones` {
  @Test func `the table is sorted, so that every name is found`() {
    for (windows, iana) in windowsZones { #expect(ianaZone(windows: windows) == iana) }
    #expect(windowsZones.count > 130)
    #expect(ianaZone(windows: "Mars Standard Time") == nil)
    #expect(ianaZone(windows: "") == nil)
  }

  @Test func `every name that Windows shows leads to a zone`() {
    for (shown, windows) in windowsDisplayNames {
      let zone = windows.contains("/") ? windows : ianaZone(windows: windows)
      #expect(ianaZone(windowsDisplay: "(UTC+01:00) \(shown)") == zone)
      #expect(zone != nil, "\(shown)")
    }
    #expect(windowsDisplayNames.count > 120)
    #expect(ianaZone(windowsDisplay: "Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna") == nil)
    #expect(ianaZone(windowsDisplay: "(UTC+06:00) Astana") == "Asia/Almaty")
    #expect(ianaZone(windowsDisplay: "(UTC+06:00) Bishkek") == "Asia/Bishkek")
  }

  @Test func `an offset that is taken from the name of an unknown place is told, once`() throws {
    let text = ["(UTC-05:00) Nowhere", "(UTC-05:00) Nowhere", "GMT-0500"].enumerated().map {
      calendar("UID:\($0.offset)", "DTSTART;TZID=\"\($0.element)\":20240705T100000")
    }
    let reading = try read(text.joined())
    #expect(reading.problems.map(\.word) == ["zone-guessed"])
    #expect(reading.series.allSatisfy { $0.master?.start.zoneName == "Etc/GMT+5" })
  }
}
