import Glibc
import Platform
import TestSupport
import Testing

@Suite struct `File replacement` {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func write(_ text: String, to file: FileReplacement) throws {
    _ = try SystemCalls.write(file.descriptor.number, Array(text.utf8))
  }

  private func mode(_ name: String) -> mode_t {
    var status = stat()
    return stat(folder.file(name), &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private func entries() -> [String] {
    guard let handle = opendir(folder.path) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { !$0.allSatisfy { $0 == "." } }.sorted()
  }

  @Test func `the old file stays until the new one is whole`() throws {
    try folder.write("old", to: "x")
    let file = try FileReplacement(of: folder.file("x"))
    try write("new", to: file)
    #expect(folder.read("x") == Array("old".utf8))
    try file.commit()
    #expect(folder.read("x") == Array("new".utf8))
    #expect(entries() == ["x"])
  }

  @Test func `what is not committed leaves nothing`() throws {
    try folder.write("old", to: "x")
    do {
      let file = try FileReplacement(of: folder.file("x"))
      try write("new", to: file)
    }
    #expect(folder.read("x") == Array("old".utf8))
    #expect(entries() == ["x"])
  }

  /// Whether files can be without a name where the test has its own.
  private static let hasNameless: Bool = {
    guard let folder = try? TemporaryDirectory() else { return false }
    return (try? SystemCalls.makeNameless(in: folder.path, mode: 0o600)) != nil
  }()

  @Test(.enabled(if: hasNameless))
  func `until it is whole it has no name, so that a process that is killed leaves none`() throws {
    try folder.write("old", to: "x")
    let file = try FileReplacement(of: folder.file("x"))
    try write("new", to: file)
    #expect(entries() == ["x"])
    try file.commit()
    #expect(entries() == ["x"])
    #expect(folder.read("x") == Array("new".utf8))
  }

  @Test func `a name that a killed process left is passed over`() throws {
    let name = ".x.\(SystemCalls.processIdentifier()).0.new"
    try folder.write("half", to: name)
    let file = try FileReplacement(of: folder.file("x"))
    try write("new", to: file)
    try file.commit()
    #expect(entries() == [name, "x"])
    #expect(folder.read("x") == Array("new".utf8))
  }

  @Test func `a file that nobody may write is left alone`() throws {
    try folder.write("old", to: "x")
    chmod(folder.file("x"), 0o444)
    let error = #expect(throws: SystemError.self) { try FileReplacement(of: folder.file("x")) }
    #expect(error?.code == .permissionDenied && error?.path == folder.file("x"))
    #expect(entries() == ["x"])
  }

  @Test func `a file keeps its permissions`() throws {
    try folder.write("old", to: "x")
    chmod(folder.file("x"), 0o640)
    try FileReplacement(of: folder.file("x")).commit()
    #expect(mode("x") == 0o640)
  }

  @Test func `a link stays, and what it leads to is replaced or made`() throws {
    try folder.makeDirectory("real")
    try folder.write("old", to: "real/x")
    try #require(symlink("real/x", folder.file("hop")) == 0)
    try #require(symlink(folder.file("hop"), folder.file("link")) == 0)
    try #require(symlink("real/new", folder.file("dangling")) == 0)
    for (link, target) in [("link", "real/x"), ("dangling", "real/new")] {
      let file = try FileReplacement(of: folder.file(link))
      try write("new", to: file)
      try file.commit()
      #expect(folder.read(target) == Array("new".utf8))
      var status = stat()
      #expect(lstat(folder.file(link), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }
    #expect(entries() == ["dangling", "hop", "link", "real"])
    try #require(symlink("circle", folder.file("circle")) == 0)
    let error = #expect(throws: SystemError.self) { try FileReplacement(of: folder.file("circle")) }
    #expect(error?.path == folder.file("circle"))
  }

  @Test func `what is no regular file is written in place`() throws {
    try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
    let reading = open(folder.file("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reading) }
    let file = try FileReplacement(of: folder.file("pipe"))
    try write("new", to: file)
    try file.commit()
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(read(reading, &buffer, 10) == 3)
    try FileReplacement(of: "/dev/null").commit()
  }

  @Test func `a folder, and a path that leads nowhere, are refused by their name`() throws {
    let folderError = #expect(throws: SystemError.self) { try FileReplacement(of: folder.path) }
    #expect(folderError?.code == .isADirectory)
    let path = folder.file("none/x")
    let error = #expect(throws: SystemError.self) { try FileReplacement(of: path) }
    #expect(error?.code == .noSuchFileOrDirectory && error?.path == path)
  }
}
