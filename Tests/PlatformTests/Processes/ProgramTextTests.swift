import TestSupport
import Testing

@testable import Platform

@Suite struct `The code of the process` {
  @Test func `is what is executable, private, never written, and of a file`() {
    let maps = """
      55d0c0000000-55d0c0010000 r--p 00000000 fe:00 12 /usr/bin/calctl
      55d0c0010000-55d0c0200000 r-xp 00010000 fe:00 12 /usr/bin/calctl
      55d0c0200000-55d0c0210000 rw-p 00200000 fe:00 12 /usr/bin/calctl
      55d0c0300000-55d0c0310000 rwxp 00200000 fe:00 12 /usr/bin/calctl
      7f0000000000-7f0000100000 r-xp 00000000 fe:00 13                         /usr/lib/a b.so (deleted)
      7f0000200000-7f0000300000 r-xs 00000000 fe:00 14 /usr/lib/shared.so
      7f0000300000-7f0000301000 r-xp 00000000 00:00 0
      7fffc0000000-7fffc0002000 r-xp 00000000 00:00 0                          [vdso]
      nonsense
      7f0000500000-7f0000400000 r-xp 00000000 fe:00 13 /usr/lib/c.so

      """
    let spans = ProgramText.spans(ofMaps: Array(maps.utf8))
    #expect(
      spans == [0x55d0_c001_0000..<0x55d0_c020_0000, 0x7f00_0000_0000..<0x7f00_0010_0000])
  }

  @Test func `can be let go of while it runs`() throws {
    ProgramText.release()
    ProgramText.release()
    #expect(try readFile("/proc/self/maps", maximumBytes: 1 << 20).isEmpty == false)
  }
}
