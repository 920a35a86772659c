import TestSupport
import Testing

@testable import Platform

@Suite struct `The place of a file` {
  @Test func `is the same however its path is spelled, and whether or not it is there`() throws {
    let folder = try TemporaryDirectory()
    _ = try Subprocess.run("sh", ["-c", "cd '\(folder.path)' && mkdir sub && ln -s sub link"])
    let place = try #require(FilePlace(folder.file("sub/a")))
    for other in ["sub//a", "sub/../sub/a", "sub/./a", "link/a"] {
      #expect(FilePlace(folder.file(other)) == place, "\(other)")
    }
    #expect(FilePlace(folder.file("sub/b")) != place)
    #expect(FilePlace(folder.file("a")) != place)
  }

  @Test func `is none where the folder is not there, or the path is a folder's`() throws {
    let folder = try TemporaryDirectory()
    for path in ["", "none/a", "sub/", ".", ".."] {
      #expect(FilePlace(path.isEmpty ? "" : folder.file(path)) == nil, "\(path)")
    }
  }
}
