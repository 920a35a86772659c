import TestSupport
import Testing

@testable import Platform

/// What a folder of zone files is known by.
@Suite struct `The fingerprint of zone data` {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.makeDirectory("zones")
    try write("zones/Berlin", FixedZones.octets(of: "Europe/Berlin"))
    try write("zones/Tokyo", FixedZones.octets(of: "Asia/Tokyo"))
    try write("localtime", FixedZones.octets(of: "Asia/Tokyo"))
  }

  private func write(_ file: String, _ octets: [UInt8]) throws {
    try AtomicFile.write(octets, to: folder.file(file))
  }

  private func fingerprint(_ zone: String) -> Int64 {
    ZoneinfoDirectory(
      environment: ProcessEnvironment(["TZDIR": folder.file("zones")]),
      localtimePath: folder.file("localtime"), timezonePath: folder.file("timezone")
    ).fingerprint(ofZone: zone)
  }

  @Test func `it stays as long as nothing changes, and differs between zones`() throws {
    try write("zones/tzdata.zi", Array("# version 2025b\n".utf8))
    #expect(fingerprint("Berlin") == fingerprint("Berlin"))
    #expect(fingerprint("Berlin") != fingerprint("Tokyo"))
  }

  @Test(arguments: ["tzdata.zi", "+VERSION"])
  func `it follows the version of the data, and nothing after its line`(file: String) throws {
    try write("zones/\(file)", Array("# version 2025b\nR d 1916\n".utf8))
    let old = fingerprint("Berlin")
    try write("zones/\(file)", Array("# version 2025b\nR d 1917\n".utf8))
    #expect(fingerprint("Berlin") == old)
    try write("zones/\(file)", Array("# version 2026a\nR d 1917\n".utf8))
    #expect(fingerprint("Berlin") != old)
  }

  @Test func `it follows the zone's own file, also where that is a copy without a name`() throws {
    try write("zones/tzdata.zi", Array("# version 2025b\n".utf8))
    let (berlin, nameless) = (fingerprint("Berlin"), fingerprint("localtime"))
    try write("zones/Berlin", FixedZones.octets(of: "Europe/Vienna"))
    #expect(fingerprint("Berlin") != berlin)
    #expect(fingerprint("localtime") == nameless)
    try write("localtime", FixedZones.octets(of: "Europe/Vienna"))
    #expect(fingerprint("localtime") != nameless)
  }

  @Test func `a zone without a file, or outside the folder, has the version's alone`() throws {
    try write("zones/tzdata.zi", Array("# version 2025b\n".utf8))
    let none = fingerprint("CET-1CEST,M3.5.0,M10.5.0/3")
    #expect(fingerprint("../localtime") == none)
    #expect(fingerprint("") == none)
    try write("zones/tzdata.zi", Array("# version 2026a\n".utf8))
    #expect(fingerprint("") != none)
  }
}
