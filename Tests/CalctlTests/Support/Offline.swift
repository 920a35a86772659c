import CivilTime
import DBus
import Glibc
import Platform
import TestSupport

@testable import CalctlCommands

/// What calctl printed and ended with, in a process without a bus, on Saturday,
/// 2026-11-21.
func runOffline(
  _ arguments: [String], input: String = ""
) throws -> (code: ExitCode, text: String, errors: String) {
  let folder = try TemporaryDirectory()
  try folder.write(input, to: "input")
  let reading = open(folder.file("input"), O_RDONLY | O_CLOEXEC)
  let writing = open(folder.file("output"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
  defer {
    close(reading)
    close(writing)
  }
  var errors = ""
  let context = CommandContext(
    environment: ProcessEnvironment([:]), standardOutput: StandardOutput(descriptor: writing),
    standardInput: reading, wantsColor: false, now: try Timestamp(text: "2026-11-21T08:00:00Z"),
    writeError: { errors += $0 },
    connect: { () throws(DBusError) in try Connection(address: "unix:path=/nonexistent/bus") })
  let code = Calctl.run(arguments: arguments, context: context)
  return (code, String(decoding: folder.read("output") ?? [], as: UTF8.self), errors)
}
