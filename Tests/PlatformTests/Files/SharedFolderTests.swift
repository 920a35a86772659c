import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct `A folder that other programs write too` {
  private let directory: TemporaryDirectory
  private var folder: SharedFolder

  init() throws {
    directory = try TemporaryDirectory()
    folder = SharedFolder(directory.path)
  }

  private func version(_ name: String) throws -> String {
    try #require(try folder.files(ending: ".ics").files.first { $0.name == name }).version.text
  }

  private func text(_ name: String) -> String? {
    directory.read(name).map { String(decoding: $0, as: UTF8.self) }
  }

  private var names: [String] {
    get throws { try SystemCalls.names(inFolder: directory.path).sorted() }
  }

  /// Writes a file as khal and vdirsyncer do: by renaming a new one over it.
  private func rewrite(_ text: String, _ name: String) throws {
    try directory.write(text, to: "theirs.tmp")
    try FileNames.move(directory.file("theirs.tmp"), to: directory.file(name))
  }

  // MARK: Reading

  @Test func `only files with the ending are listed`() throws {
    for name in ["a.ics", ".b.ics", "c.ICS", "d.icsxtgczeep", "e.ics.tmp", ".ics", "color"] {
      try directory.write("x", to: name)
    }
    try directory.makeDirectory("folder.ics")
    #expect(symlink("nothing", directory.file("link.ics")) == 0)
    let listing = try folder.files(ending: ".ics")
    #expect(listing.files.map(\.name) == [".b.ics", "a.ics"])
    #expect(listing.unreadable.isEmpty)
  }

  @Test func `what is no regular file is unreadable`() throws {
    #expect(mkfifo(directory.file("a.ics"), 0o600) == 0)
    let listing = try folder.files(ending: ".ics")
    #expect(listing.files.isEmpty)
    #expect(listing.unreadable.map(\.name) == ["a.ics"])
    let error = #expect(throws: SharedFolder.Failure.self) {
      try folder.read("a.ics", maximumBytes: 10)
    }
    guard case .unreadable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a missing folder is an error and not empty`() {
    #expect(throws: SharedFolder.Failure.missing) {
      try SharedFolder("/nowhere").files(ending: ".ics")
    }
  }

  @Test func `a file comes with the version that the listing has`() throws {
    try directory.write("one", to: "a.ics")
    let (bytes, found) = try folder.read("a.ics", maximumBytes: 10)
    #expect(bytes == Array("one".utf8))
    #expect(try version("a.ics") == found.text)
    #expect(throws: SharedFolder.Failure.missing) { try folder.read("b.ics", maximumBytes: 10) }
  }

  @Test func `another content of the same size is another version`() throws {
    try rewrite("one", "a.ics")
    let old = try version("a.ics")
    try rewrite("two", "a.ics")
    #expect(try version("a.ics") != old)
  }

  // MARK: Writing

  @Test func `a new file does not replace one`() throws {
    try folder.create("a.ics", Array("one".utf8))
    #expect(text("a.ics") == "one")
    #expect(throws: SharedFolder.Failure.exists) {
      try folder.create("a.ics", Array("two".utf8))
    }
    #expect(text("a.ics") == "one")
    #expect(try names == ["a.ics"])
  }

  @Test func `a file is replaced by another, with the same permissions`() throws {
    try directory.write("one", to: "a.ics", mode: 0o640)
    let before = try SystemCalls.fileStatus(ofPath: directory.file("a.ics"))
    try folder.replace("a.ics", Array("two".utf8), version: before.version.text)
    let after = try SystemCalls.fileStatus(ofPath: directory.file("a.ics"))
    #expect(text("a.ics") == "two")
    #expect(after.mode == before.mode)
    #expect(after.version.inode != before.version.inode)
    #expect(try names == ["a.ics"])
  }

  @Test func `an old version is neither replaced nor removed`() throws {
    try directory.write("one", to: "a.ics")
    let old = try version("a.ics")
    try rewrite("theirs", "a.ics")
    #expect(throws: SharedFolder.Failure.changed) {
      try folder.replace("a.ics", Array("two".utf8), version: old)
    }
    #expect(throws: SharedFolder.Failure.changed) { try folder.remove("a.ics", version: old) }
    #expect(text("a.ics") == "theirs")
    #expect(throws: SharedFolder.Failure.missing) {
      try folder.replace("b.ics", [], version: old)
    }
    #expect(throws: SharedFolder.Failure.missing) { try folder.remove("b.ics", version: old) }
    #expect(try names == ["a.ics"])
  }

  @Test mutating func `a program that writes at the same time wins`() throws {
    try directory.write("one", to: "a.ics")
    let old = try version("a.ics")
    let (path, name) = (directory.path, directory.file("a.ics"))
    folder.afterCheck = {
      try? AtomicFile.write(Array("theirs".utf8), to: name)
    }
    #expect(throws: SharedFolder.Failure.changed) {
      try folder.replace("a.ics", Array("two".utf8), version: old)
    }
    #expect(text("a.ics") == "theirs")
    let theirs = try version("a.ics")
    folder.afterCheck = {
      try? AtomicFile.write(Array("more".utf8), to: name)
    }
    #expect(throws: SharedFolder.Failure.changed) { try folder.remove("a.ics", version: theirs) }
    #expect(text("a.ics") == "more")
    #expect(try SystemCalls.names(inFolder: path) == ["a.ics"])
  }

  @Test mutating func `a file that is removed at the same time stays removed`() throws {
    try directory.write("one", to: "a.ics")
    let old = try version("a.ics")
    let name = directory.file("a.ics")
    folder.afterCheck = { try? AtomicFile.remove(name) }
    #expect(throws: SharedFolder.Failure.missing) {
      try folder.replace("a.ics", Array("two".utf8), version: old)
    }
    #expect(try names == [])
  }

  @Test func `a version is removed`() throws {
    try directory.write("one", to: "a.ics")
    try folder.remove("a.ics", version: try version("a.ics"))
    #expect(try names == [])
  }
}
