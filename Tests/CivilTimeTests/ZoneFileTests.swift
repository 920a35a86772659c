import CivilTime
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
      return reason
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
      for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
        var octets = berlin
        octets[index] = value
        guard let zone = try? ZoneRules(name: "Test/File", tzif: octets) else { continue }
        _ = zone.resolve(CivilDateTime(.epoch, .midnight))
        _ = zone.offset(at: .latest)
      }
    }
  }

  @Test func `what is no zone file is refused with the place`() {
    #expect(reason([]) == "it is cut short: a header takes 44 octets, 0 are left (at octet 0)")
    #expect(
      reason([UInt8](repeating: 0x41, count: 100))
        == "a header does not begin with \"TZif\" (at octet 0)")
    var later = berlin
    later[4] = UInt8(ascii: "9")
    #expect(reason(later)?.hasPrefix("its version is octet 57") == true)
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
