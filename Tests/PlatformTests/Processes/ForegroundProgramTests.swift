import Platform
import TestSupport
import Testing

@Suite struct `Programs in the foreground` {
  @Test func `a line of sh gets its arguments, and how it ended is known`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a file")
    #expect(try ForegroundProgram.run("echo \"$2\" > \"$1\"", [path, "text"]) == .exited(0))
    #expect(folder.read("a file") == Array("text\n".utf8))
    #expect(try ForegroundProgram.run("exit $1", ["3"]) == .exited(3))
    #expect(try ForegroundProgram.run("kill -9 $$", []) == .signalled(9))
  }
}
