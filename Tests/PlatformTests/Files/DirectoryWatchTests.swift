import Glibc
import Platform
import TestSupport
import Testing

@Suite struct `Directory watch` {
  private let loop: EventLoop
  private let folder: TemporaryDirectory

  init() throws {
    loop = try EventLoop()
    folder = try TemporaryDirectory()
  }

  @Test func `files that come, change, move and go are told by name, each once`() throws {
    try folder.write("1", to: "changed")
    try folder.write("1", to: "removed")
    try folder.write("1", to: "old")
    var changes: [DirectoryWatch.Change] = []
    let watch = try DirectoryWatch(folder.path, on: loop) { changes.append($0) }
    try folder.write("1", to: "made")
    try folder.write("2", to: "changed")
    unlink(folder.file("removed"))
    rename(folder.file("old"), folder.file("new"))
    symlink("nowhere", folder.file("link"))
    #expect(try loop.run(withinMilliseconds: 10_000) { !changes.isEmpty })
    #expect(changes == [.init(names: ["made", "changed", "removed", "old", "new", "link"])])
    withExtendedLifetime(watch) {}
  }

  @Test func `a file replaced by rename is told again and again`() throws {
    var names: [String] = []
    let watch = try DirectoryWatch(folder.path, on: loop) { names += $0.names }
    for _ in 0..<3 {
      names = []
      try AtomicFile.write("x".utf8, to: folder.file("target"))
      #expect(try loop.run(withinMilliseconds: 10_000) { names.contains("target") })
    }
    withExtendedLifetime(watch) {}
  }

  @Test func `reading a file is no change`() throws {
    try folder.write("1", to: "x")
    var isTold = false
    let watch = try DirectoryWatch(folder.path, on: loop) { _ in isTold = true }
    _ = folder.read("x")
    #expect(try loop.run(withinMilliseconds: 5) { isTold } == false)
    withExtendedLifetime(watch) {}
  }

  @Test func `a directory that is removed is told`() throws {
    let inner = try folder.makeDirectory("inner")
    var changes: [DirectoryWatch.Change] = []
    let watch = try DirectoryWatch(inner, on: loop) { changes.append($0) }
    rmdir(inner)
    #expect(try loop.run(withinMilliseconds: 10_000) { !changes.isEmpty })
    #expect(changes.allSatisfy { $0.isDirectoryGone && $0.names.isEmpty })
    withExtendedLifetime(watch) {}
  }

  @Test func `events that the kernel dropped are told as an overflow`() throws {
    let limit = try readFile("/proc/sys/fs/inotify/max_queued_events", maximumBytes: 100)
    let count = try #require(
      Int(String(decoding: limit, as: UTF8.self).split(separator: "\n")[0]))
    var change = DirectoryWatch.Change()
    let watch = try DirectoryWatch(folder.path, on: loop) { change = $0 }
    // Two events each; equal ones in a row are one, so the names take turns.
    for _ in 0...(count / 4 + 1) {
      for name in ["a", "b"] {
        close(open(folder.file(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        unlink(folder.file(name))
      }
    }
    #expect(try loop.run(withinMilliseconds: 10_000) { change.isOverflowed })
    #expect(change.names == ["a", "b"])
    withExtendedLifetime(watch) {}
  }

  @Test func `a missing directory, or a file, is refused by name`() throws {
    let missing = folder.file("none")
    #expect(
      throws: SystemError(.noSuchFileOrDirectory, call: "inotify_add_watch", path: missing)
    ) { try DirectoryWatch(missing, on: loop) { _ in } }
    let file = try folder.write("1", to: "x")
    #expect(throws: SystemError(.notADirectory, call: "inotify_add_watch", path: file)) {
      try DirectoryWatch(file, on: loop) { _ in }
    }
  }

  @Test func `a watch that is gone tells nothing`() throws {
    var isTold = false
    var watch: DirectoryWatch? = try DirectoryWatch(folder.path, on: loop) { _ in isTold = true }
    try folder.write("1", to: "x")
    #expect(watch != nil)
    watch = nil
    #expect(try loop.run(withinMilliseconds: 5) { isTold } == false)
  }
}
