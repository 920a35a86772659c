import Glibc
import Platform
import TestSupport
import Testing

@Suite struct `Folder of programs` {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.makeDirectory("hooks")
    try folder.makeDirectory("hooks/a.d")
  }

  private func put(_ name: String, mode: UInt32 = 0o700) throws {
    try folder.write("#!/bin/sh\n", to: "hooks/a.d/" + name, mode: mode)
    // Whatever the umask says.
    chmod(folder.file("hooks/a.d/" + name), mode)
  }

  private var found: (paths: [String], faults: [String]) {
    let found = ProgramFolder(folder.file("hooks"), "a.d").programs()
    return (
      found.paths.map { String($0.split(separator: "/").last ?? "") },
      found.faults.map(\.description)
    )
  }

  @Test func `programs come by name; hidden files, backups and folders are passed over`() throws {
    for name in ["20-b", "10-a", ".hidden", "10-a~"] { try put(name) }
    try folder.makeDirectory("hooks/a.d/folder")
    #expect(found.paths == ["10-a", "20-b"])
    #expect(found.faults.isEmpty)
  }

  @Test func `a folder that is not there has none`() {
    #expect(ProgramFolder(folder.file("none"), "a.d").programs().faults.isEmpty)
  }

  @Test func `one that others may write is refused, and the rest is not`() throws {
    try put("a")
    try put("b", mode: 0o722)
    #expect(found.paths == ["a"])
    #expect(found.faults.count == 1)
    #expect(
      found.faults.first?.contains("/b cannot be used: others may write to it (mode 722)") == true)
  }

  @Test func `one that is not executable is named`() throws {
    try put("a", mode: 0o600)
    #expect(found.paths.isEmpty)
    #expect(found.faults.first?.contains("chmod +x") == true)
  }

  @Test(arguments: ["hooks", "hooks/a.d"])
  func `nothing of a folder counts that others may write to`(name: String) throws {
    try put("a")
    chmod(folder.file(name), 0o777)
    #expect(found.paths.isEmpty)
    #expect(found.faults.count == 1)
    #expect(found.faults.first?.contains("\(name) cannot be used") == true)
  }

  @Test func `nothing counts where anybody may swap the folder, as one of a group may`() throws {
    try put("a")
    chmod(folder.path, 0o777)
    #expect(found.paths.isEmpty)
    #expect(
      found.faults
        == [
          "\(folder.path) cannot be used: others may write to it (mode 777); run chmod go-w on it"
        ])
    chmod(folder.path, 0o775)
    #expect(found.paths == ["a"])
  }

  @Test func `a link counts as what it points to`() throws {
    try put("a", mode: 0o702)
    symlink("a", folder.file("hooks/a.d/b"))
    symlink("nowhere", folder.file("hooks/a.d/c"))
    #expect(found.paths.isEmpty)
    #expect(found.faults.count == 3)
  }

  // Only root can make a file somebody else's.
  @Test(.enabled(if: geteuid() == 0))
  func `one of another user is refused`() throws {
    try put("a")
    chown(folder.file("hooks/a.d/a"), 12345, 12345)
    #expect(found.faults.first?.contains("it belongs to user 12345, not to you") == true)
  }
}
