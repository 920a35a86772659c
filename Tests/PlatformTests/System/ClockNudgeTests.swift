import TestSupport
import Testing

@Suite struct `The right to set the clock` {
  private static let everybody = "         0          0 4294967295\n"

  @Test(arguments: [
    ("Name:\tx\nCapEff:\t000001ffffffffff\n", everybody, true),
    ("CapEff:\t0000000002000000\n", everybody, true),
    ("CapEff:\t00000000a80425fb\n", everybody, false),
    ("CapEff:\t000001ffffffffff\n", "         0       1000          1\n", false),
    ("", "", false),
  ])
  func `it is read, in the first user namespace`(
    _ status: String, _ userMap: String, _ isAllowed: Bool
  ) {
    #expect(ClockNudge.allows(status: status, userMap: userMap) == isAllowed)
  }
}
