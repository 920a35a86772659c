import CalendarBus
import DBus
import Glibc
import Platform
import TestSupport
import Testing

@testable import AgentSupport

private let endings = [".ics", ".vcs"]
private let corpus = testsDirectory + "/ICalendarTests/Corpus/"
/// Those of the files that are refused as a whole.
private let noCalendars = [
  "/icalendar-fuzz-testcase-vtimezone-lone-cr.ics", "/own-empty.ics", "/own-html.ics",
  "/own-only-newlines.ics", "/cut.ics", "/own-missing-end-vcalendar.ics",
  "/own-truncated-in-line.ics",
]
/// The folder of conformance files, for the long proofs; nil where none is given.
private let conformance =
  runsLongProofs ? getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) + "/ics/" } : nil

extension AgentUnderTest {
  /// Imports a file: added, updated, skipped, failed.
  fileprivate func take(_ path: String) throws -> [Int64] { importCounts(try answer(path)[0]) }

  private func answer(_ path: String) throws -> [Value] {
    let file = try Platform.FileDescriptor.opening(path)
    return try call(
      Contract.transfer, "Import",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: file.number)), .string(""),
        .string(""), .string(""), .row([]),
      ])
  }

  /// Imports a file, and returns what is told of it.
  fileprivate func remarks(on path: String) throws -> [KeptComponents.Remark] {
    (try answer(path)[1].asArray ?? []).map { row in
      (
        row["problem"]?.asString ?? "", row["uid"]?.asString ?? "", row["text"]?.asString ?? ""
      )
    }
  }
}

@Suite struct `Files that go in, out, in and out` {
  @Test(arguments: files(corpus, endingIn: endings) + files(conformance, endingIn: endings))
  func `the second export says what the first does, and nothing is lost between`(
    path: String
  ) throws {
    let agent = try AgentUnderTest()
    let counts: [Int64]
    do { counts = try agent.take(path) } catch let error as DBusError {
      // What is no calendar brings nothing.
      #expect(error.name.text.hasSuffix(".ParseFailed"), "\(path): \(error)")
      #expect(noCalendars.contains { path.hasSuffix($0) }, "\(path): \(error)")
      return
    }
    #expect(!noCalendars.contains { path.hasSuffix($0) }, "\(path)")
    let text = try agent.backup()
    let file = agent.files.file("backup")
    let other = try AgentUnderTest()
    #expect(try other.take(file) == [counts[0], 0, 0, 0], "\(path)")
    #expect(try other.backup() == text, "\(path)")
    #expect(try other.take(file) == [0, 0, counts[0], 0], "\(path)")
  }

  @Test(arguments: files(corpus) + files(conformance))
  func `the first export says what the file does, but for what was told`(path: String) throws {
    if noCalendars.contains(where: { path.hasSuffix($0) }) { return }
    let agent = try AgentUnderTest()
    let remarks = try agent.remarks(on: path)
    // Nothing is found by hand in what is to be decoded first.
    guard let file = KeptComponents(try #require(readFile(path)), remarks) else { return }
    let exported = KeptComponents.components(of: try agent.backup().utf8)
    for component in exported {
      let uid = component.first { $0.uppercased().hasPrefix("UID:") }?.dropFirst(4) ?? ""
      #expect(file.has(component, uid: String(uid)), "\(component)")
    }
    #expect(file.missing(in: exported) == [], "\(path)")
  }

  @Test func `there are files`() {
    #expect(files(corpus, endingIn: endings).count > 40)
  }
}
