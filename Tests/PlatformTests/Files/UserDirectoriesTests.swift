import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct `User directories` {
  private func directories(_ values: [String: String], home: String? = "/pw/home")
    -> UserDirectories
  {
    UserDirectories(environment: ProcessEnvironment(values)) { home }
  }

  @Test func `the variables are taken where they are absolute paths`() throws {
    let directories = directories([
      "HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c", "XDG_RUNTIME_DIR": "/r",
    ])
    #expect(try directories.data() == "/d")
    #expect(try directories.configuration() == "/c")
    #expect(try directories.runtime() == "/r")
  }

  @Test(arguments: [nil, "", "relative/path"])
  func `what is unset, empty or relative is as good as unset`(_ value: String?) throws {
    var values = ["HOME": "/h"]
    values["XDG_DATA_HOME"] = value
    values["XDG_CONFIG_HOME"] = value
    values["XDG_RUNTIME_DIR"] = value
    let directories = directories(values)
    #expect(try directories.data() == "/h/.local/share")
    #expect(try directories.configuration() == "/h/.config")
    #expect(throws: PlatformError.noRuntimeDirectory) { try directories.runtime() }
  }

  @Test func `without HOME the user database is asked`() throws {
    #expect(try directories([:]).data() == "/pw/home/.local/share")
    #expect(throws: PlatformError.noHomeDirectory) { try directories([:], home: nil).data() }
    #expect(throws: PlatformError.noHomeDirectory) {
      try directories(["HOME": "x"], home: "").configuration()
    }
    #expect(try directories(["XDG_DATA_HOME": "/d"], home: nil).data() == "/d")
  }

  @Test func `a directory is made for the user alone, with those above it`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a/b/c")
    try UserDirectories.makePrivate(path)
    for part in ["a", "a/b", "a/b/c"] {
      var status = stat()
      #expect(stat(folder.file(part), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o700)
    }
    try UserDirectories.makePrivate(path)
  }

  @Test func `a directory that others may write to is refused`() throws {
    let folder = try TemporaryDirectory()
    for mode in [0o770, 0o702, 0o777] as [mode_t] {
      let path = try folder.makeDirectory("m\(mode)")
      chmod(path, mode)
      #expect {
        try UserDirectories.makePrivate(path)
      } throws: { error in
        "\(error)".contains("others may write to it") && "\(error)".hasPrefix(path)
      }
    }
    let path = try folder.makeDirectory("readable")
    chmod(path, 0o755)
    try UserDirectories.makePrivate(path)
  }

  @Test func `a directory of someone else is refused`() {
    let error = #expect(throws: PlatformError.self) {
      try UserDirectories.check("/x", owner: 7, mode: 0o700, user: 8)
    }
    #expect(
      error?.description
        == "/x cannot be used: it belongs to user 7, not to you (8); move it away, or have root "
        + "run chown 8 on it")
  }

  @Test func `what anybody may write to is refused, and not what a group may`() throws {
    let folder = try TemporaryDirectory()
    try UserDirectories.checkOwn(folder.file("none"))
    let path = try folder.write("1", to: "x")
    for mode in [0o600, 0o444, 0o664] as [mode_t] {
      chmod(path, mode)
      try UserDirectories.checkOwn(path)
    }
    chmod(path, 0o666)
    #expect {
      try UserDirectories.checkOwn(path)
    } throws: {
      "\($0)".contains("others may write to it (mode 666)") && "\($0)".hasPrefix(path)
    }
    // Root's are not somebody else's.
    try UserDirectories.checkOwn("/etc/passwd")
  }

  @Test func `a file is made for the user alone, and one that is there is left alone`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("x")
    try UserDirectories.makePrivateFile(path)
    try UserDirectories.checkPrivateFile(path)
    #expect(folder.read("x") == [])
    try folder.write("1", to: "x")
    try UserDirectories.makePrivateFile(path)
    #expect(folder.read("x") == Array("1".utf8))
    #expect(throws: PlatformError.self) {
      try UserDirectories.makePrivateFile(folder.file("none/x"))
    }
  }

  @Test(arguments: SpecialFile.allCases)
  func `what is no regular file is no private file`(kind: SpecialFile) throws {
    let folder = try TemporaryDirectory()
    try kind.make(at: folder.file("x"))
    let error = #expect(throws: PlatformError.self) {
      try UserDirectories.checkPrivateFile(folder.file("x"))
    }
    #expect(error?.description.contains("it is \(kind.rawValue), not a regular file") ?? false)
  }

  @Test func `a file in the way is refused`() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("1", to: "x")
    #expect(
      throws: PlatformError.system(SystemError(.notADirectory, call: "open", path: file))
    ) { try UserDirectories.makePrivate(file) }
    #expect(
      throws: PlatformError.system(
        SystemError(.notADirectory, call: "mkdir", path: file + "/inner"))
    ) { try UserDirectories.makePrivate(file + "/inner") }
  }

  @Test func `the environment of the process is read as getenv reads it`() throws {
    let current = ProcessEnvironment.current
    #expect(current["PATH"] == getenv("PATH").map { String(cString: $0) })
    #expect(current["DATEBOOK_NO_SUCH_VARIABLE"] == nil)
    let given = ProcessEnvironment(["EMPTY": "", "RELATIVE": "a", "ABSOLUTE": "/a"])
    #expect(given["EMPTY"] == "")
    #expect(given.nonempty("EMPTY") == nil)
    #expect(given.nonempty("RELATIVE") == "a")
    #expect(given.absolutePath("RELATIVE") == nil)
    #expect(given.absolutePath("ABSOLUTE") == "/a")
  }
}
