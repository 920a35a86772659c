import CivilTime
import Platform
import TestSupport
import Testing

@Suite struct `The customs of a session` {
  @Test(arguments: [
    ("en_US.UTF-8", "", false), ("en_US.UTF-8", "24", true), ("en_US.UTF-8", "auto", false),
    ("de_DE.UTF-8", "", true), ("de_DE.UTF-8", "12", false), ("C.UTF-8", "12", false),
    ("C.UTF-8", "am", true),
  ])
  func `the clock of datebook.conf comes before the locale's`(
    _ locale: String, _ clock: String, _ usesTwentyFourHours: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    try folder.makeDirectory("datebook")
    try folder.write("[calendar]\nclock = \(clock)\n", to: "datebook/datebook.conf")
    let customs = TimeCustoms(
      ProcessEnvironment(["LC_TIME": locale, "XDG_CONFIG_HOME": folder.path]))
    #expect(customs.usesTwentyFourHours == usesTwentyFourHours)
    #expect((customs.dateOrder == .monthDay) == locale.hasPrefix("en_US"))
  }

  @Test func `without settings it is the locale's`() throws {
    let folder = try TemporaryDirectory()
    let customs = TimeCustoms(
      ProcessEnvironment(["LANG": "en_US.UTF-8", "XDG_CONFIG_HOME": folder.path]))
    #expect(customs == TimeCustoms(territory: "US"))
  }
}
