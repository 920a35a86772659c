import CalendarModel
import CivilTime
import Glibc
import Platform
import TestSupport
import Widgets

@testable import CalctlCommands

/// An ``Output`` of a test's own, in Berlin on Saturday, 2026-11-21 at 09:00, whose
/// text can be read.
final class Capture {
  let output: Output
  private(set) var errors = ""
  private let descriptor: Int32
  private let folder: TemporaryDirectory

  init(wantsColor: Bool = false) throws {
    folder = try TemporaryDirectory()
    descriptor = open(folder.file("output"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    var write: (String) -> Void = { _ in }
    output = Output(
      standardOutput: StandardOutput(descriptor: descriptor), writeError: { write($0) },
      wantsColor: wantsColor, now: try Timestamp(text: "2026-11-21T08:00:00Z"),
      zone: { FixedZones.shared["Europe/Berlin"] }, order: { DisplayOrder(["home", "work"]) })
    write = { [unowned self] in errors += $0 }
  }

  deinit { close(descriptor) }

  /// What was printed so far.
  var text: String { String(decoding: folder.read("output") ?? [], as: UTF8.self) }
}
