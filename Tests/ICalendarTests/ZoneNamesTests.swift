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
  ])
  func `a name that stands for an installed zone finds it`(_ id: String, _ zone: String) {
    #expect(meaning(id) == .zone(zone))
  }

  @Test(arguments: ["UTC", "GMT", "Z", "Etc/UTC", "tzone://Microsoft/Utc", "utc"])
  func `UTC has many names`(_ id: String) {
    #expect(meaning(id) == .utc)
  }

  @Test func `an installed name goes before the rules of the file`() {
    #expect(meaning("Europe/Berlin", inFile: ["Europe/Berlin"]) == .zone("Europe/Berlin"))
    #expect(meaning("Custom", inFile: ["Custom"]) == .zone("Custom"))
    #expect(meaning("", inFile: [""]) == .zone("Unnamed"))
  }

  @Test(arguments: [
    "Custom", "", "Europe/Nowhere", "../../etc/passwd", "/etc/passwd", "a//b", "\u{0}",
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
}
