import Glibc
import Platform
import TestSupport
import Testing

@Suite struct `Atomic files` {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// The names in the folder, without "." and "..".
  private var names: [String] {
    guard let directory = opendir(folder.path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  private func mode(_ name: String) -> mode_t {
    var status = stat()
    stat(folder.file(name), &status)
    return status.st_mode & 0o777
  }

  @Test(arguments: [false, true])
  func `content is written with its mode and nothing is left beside it`(_ isDurable: Bool) throws {
    let path = folder.file("x")
    try AtomicFile.write(Array("one".utf8), to: path, mode: 0o666, isDurable: isDurable)
    #expect(folder.read("x") == Array("one".utf8))
    #expect(mode("x") == 0o666)
    try AtomicFile.write("two".utf8, to: path, mode: 0o600, isDurable: isDurable)
    #expect(folder.read("x") == Array("two".utf8))
    #expect(mode("x") == 0o600)
    #expect(names == ["x"])
  }

  @Test func `empty and large content is written whole`() throws {
    try AtomicFile.write([], to: folder.file("empty"))
    #expect(folder.read("empty") == [])
    let large = [UInt8](repeating: 7, count: 3_000_000)
    try AtomicFile.write(large, to: folder.file("large"))
    #expect(folder.read("large") == large)
  }

  @Test func `a reader that has the old file open keeps it`() throws {
    let path = try folder.write("old", to: "x")
    let old = try FileDescriptor.opening(path)
    try AtomicFile.write("new".utf8, to: path)
    #expect(try readToEnd(descriptor: old.number, maximumBytes: 10) == Array("old".utf8))
  }

  @Test func `a write that fails leaves what was there and no temporary file`() throws {
    let target = try folder.makeDirectory("x")
    #expect(throws: SystemError(.isADirectory, call: "rename", path: target)) {
      try AtomicFile.write("new".utf8, to: target)
    }
    #expect(names == ["x"])
  }

  @Test func `a missing directory is named`() throws {
    do {
      try AtomicFile.write("new".utf8, to: folder.file("none/x"))
      Issue.record("it was written")
    } catch {
      #expect(error.code == .noSuchFileOrDirectory)
      #expect(error.description.hasPrefix("open \(folder.path)/none/"))
      #expect(error.description.hasSuffix(": No such file or directory"))
    }
  }

  @Test func `what a crash left behind is no obstacle`() throws {
    let left = ".x.\(SystemCalls.processIdentifier()).0.new"
    try folder.write("half", to: left)
    try AtomicFile.write("new".utf8, to: folder.file("x"))
    #expect(folder.read("x") == Array("new".utf8))
  }

  @Test func `a file is read to its end, up to the size allowed`() throws {
    let path = try folder.write("12345", to: "x")
    #expect(try readFile(path, maximumBytes: 5) == Array("12345".utf8))
    #expect(throws: PlatformError.tooLarge(source: path, maximumBytes: 4)) {
      try readFile(path, maximumBytes: 4)
    }
  }

  @Test func `a file that is missing is named`() throws {
    let missing = folder.file("none")
    #expect(
      throws: PlatformError.system(
        SystemError(.noSuchFileOrDirectory, call: "open", path: missing))
    ) { try readFile(missing, maximumBytes: 4) }
  }

  @Test(arguments: SpecialFile.allCases)
  func `what is no regular file is refused, and a FIFO is not waited for`(
    kind: SpecialFile
  ) throws {
    let path = folder.file("x")
    try kind.make(at: path)
    let error = #expect(throws: PlatformError.self) { try readFile(path, maximumBytes: 4) }
    #expect(
      error?.description
        == "\(path) cannot be used: it is \(kind.rawValue), not a regular file; move it away")
  }
}
