import CivilTime
import Messages
import TestSupport
import Testing

@Suite struct `A zone file` {
  private let berlin = FixedZones.octets(of: "Europe/Berlin")

  private func reason(_ octets: [UInt8]) -> String? {
    do {
      _ = try ZoneRules(name: "Test/File", tzif: octets)
      return nil
    } catch {
      guard case .badZoneData(let name, let reason) = error, name == "Test/File" else { return "" }
      return reason.english
    }
  }

  @Test func `every cut of it is refused`() {
    for count in 0..<berlin.count {
      #expect(reason(Array(berlin[..<count]))?.isEmpty == false, "cut to \(count) octets")
    }
  }

  /// What one wrong octet may do, bounds and order are checked: none may crash.
  @Test func `a wrong octet is refused or gives other rules`() {
    for index in berlin.indices {
      for value in [0xFF, 0, 0x7F, 0x80].prefix(rounds(1, long: 4)) as ArraySlice<UInt8> {
        var octets = berlin
        octets[index] = value
        guard let zone = try? ZoneRules(name: "Test/File", tzif: octets) else { continue }
        _ = zone.resolve(CivilDateTime(.epoch, .midnight))
        _ = zone.offset(at: .latest)
      }
    }
  }

  @Test func `what is no zone file is refused with the place`() {
    #expect(reason([]) == "it is cut short: 44 bytes are needed, 0 are left (at byte 0)")
    #expect(
      reason([UInt8](repeating: 0x41, count: 100))
        == "a header does not begin with \"TZif\" (at byte 0)")
    var later = berlin
    later[4] = UInt8(ascii: "9")
    #expect(reason(later)?.hasPrefix("its version is byte 57") == true)
    #expect(reason([UInt8](repeating: 0, count: 300_000))?.contains("limit") == true)
  }

  @Test func `counts that no file can hold are refused`() {
    for index in 20..<44 {
      var octets = berlin
      octets[index] = 0x7F
      #expect(reason(octets) != nil, "octet \(index)")
    }
  }

  @Test func `the first version has 32-bit times and no footer`() throws {
    // One change in 1980, from two hours to one.
    var octets = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
    for count: UInt8 in [0, 0, 0, 1, 2, 4] { octets += [0, 0, 0, count] }
    octets += [0x12, 0xCE, 0x97, 0x80, 1]
    octets += [0, 0, 0x1C, 0x20, 0, 0, 0, 0, 0x0E, 0x10, 0, 0]
    octets += Array("AAA\0".utf8)
    let zone = try ZoneRules(name: "Test/One", tzif: octets)
    let change = Timestamp(seconds: 0x12CE_9780)
    #expect(zone.offset(at: change.adding(seconds: -1)).seconds == 7200)
    #expect(zone.offset(at: change).seconds == 3600)
    #expect(zone.offset(at: .latest).seconds == 3600)
    #expect(zone.nextChange(after: change) == nil)
  }

  @Test func `what is written of rules is read as the same ones`() throws {
    let texts = [
      "EST5EDT,M3.2.0,M11.1.0", "<-02>2<-01>,M3.5.0/-1,J300/0", "IST-1GMT0,300,59/1:30:15",
    ]
    let posix = try texts.map { try ZoneRules(name: $0, posix: $0) }
    let list = try ZoneRules(
      name: "list", initial: UTCOffset(seconds: -1172),
      changes: [
        (Timestamp(seconds: 0), UTCOffset(seconds: 3600)), (Timestamp(seconds: 9), .utc),
        (Timestamp(seconds: 5_000_000_000), UTCOffset(seconds: -1172)),
      ], then: nil)
    let late = try ZoneRules(
      name: "late", initial: .utc, changes: [(Timestamp(seconds: 4_200_000_000), .utc)],
      then: try PosixZoneRule(text: Array("GMT0BST,M3.5.0/1,M10.5.0".utf8)))
    for rules in FixedZones.names.map({ FixedZones.shared[$0] }) + posix + [list, late] {
      let octets = try #require(rules.tzif)
      let again = try ZoneRules(name: rules.name, tzif: octets)
      #expect(again.agrees(with: rules), "\(rules.name)")
      #expect(octets.count < 4096, "\(rules.name)")
      #expect(again.tzif == octets, "\(rules.name)")
      for year in [1850, 2099, 2105, 2500, 9990] {
        for day in 0..<60 {
          let instant = Timestamp(
            seconds: (Int64(year) - 1970) * 31_556_952 + Int64(day) * 6 * 86_400)
          #expect(
            again.offset(at: instant) == rules.offset(at: instant), "\(rules.name) \(instant)")
        }
      }
    }
  }

  @Test func `more kinds of time than a file can hold are not written`() throws {
    let changes = (1...256).map { (Timestamp(seconds: Int64($0)), UTCOffset(seconds: Int32($0))) }
    let few = try ZoneRules(name: "few", initial: .utc, changes: changes.dropLast(), then: nil)
    #expect(try ZoneRules(name: "few", tzif: try #require(few.tzif)).agrees(with: few))
    let many = try ZoneRules(name: "many", initial: .utc, changes: changes, then: nil)
    #expect(many.tzif == nil)
  }

  @Test func `a footer that contradicts the last change is refused`() {
    var octets = berlin
    let footer = Array("CET-1CEST".utf8)
    guard let index = octets.indices.last(where: { octets[$0...].starts(with: footer) }) else {
      Issue.record("Berlin has no footer")
      return
    }
    octets[index + 4] = UInt8(ascii: "2")
    #expect(reason(octets)?.contains("footer says") == true)
  }
}
