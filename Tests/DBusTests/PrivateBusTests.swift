import TestSupport
import Testing

@Suite struct `Programs that tests run` {
  @Test func `what a program prints and its exit code are kept`() throws {
    let outcome = try Subprocess.run(
      "sh", ["-c", "cat; echo no >&2; exit 3"], input: .bytes(Array("yes".utf8)))
    #expect(outcome.status == .exited(3))
    #expect(outcome.output == "yes")
    #expect(outcome.errors == "no\n")
  }

  @Test func `a megabyte both ways is no dead-lock`() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    let outcome = try Subprocess.run("cat", input: .bytes(bytes))
    #expect(outcome.output.utf8.count == bytes.count)
  }

  @Test func `a signal is told apart from an exit`() throws {
    let child = try Subprocess("cat", input: .nothing)
    let sleeper = try Subprocess("sleep", ["600"])
    sleeper.terminate()
    #expect(try sleeper.wait().status == .signalled(15))
    #expect(try child.wait().status == .exited(0))
  }

  @Test func `a program may run in another folder with another environment`() throws {
    let folder = try TemporaryDirectory()
    let outcome = try Subprocess.run(
      "sh", ["-c", "pwd; echo $WORD"], environment: ["WORD": "this"], directory: folder.path)
    #expect(outcome.output == "\(folder.path)\nthis\n")
  }

  @Test func `a program that does not exist is refused`() {
    #expect(throws: TestSupportError.self) { try Subprocess("/nonexistent/program") }
  }

  @Test func `a daemon that holds the pipe does not hold the end`() throws {
    let outcome = try Subprocess.run("sh", ["-c", "sleep 600 & echo $!"])
    #expect(outcome.status == .exited(0))
    _ = try Subprocess.run("kill", [outcome.output.split(separator: "\n").joined()])
  }
}

@Suite struct `A private bus` {
  @Test func `a private bus answers busctl and dbus-send`() throws {
    let bus = try PrivateBus()
    let list = try Subprocess.run("busctl", ["--user", "list"], environment: bus.environment)
    #expect(list.status == .exited(0), "\(list.errors)")
    #expect(list.output.contains("org.freedesktop.DBus"))
    let names = try Subprocess.run(
      "dbus-send",
      [
        "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
        "org.freedesktop.DBus.ListNames",
      ], environment: bus.environment)
    #expect(names.output.contains("string \"org.freedesktop.DBus\""))
  }

  @Test func `its folder is gone with the bus`() throws {
    var bus: PrivateBus? = try PrivateBus()
    let folder = try #require(bus?.directory.path)
    #expect(try Subprocess.run("test", ["-d", folder]).status == .exited(0))
    bus = nil
    #expect(try Subprocess.run("test", ["-e", folder]).status == .exited(1))
  }

  @Test func `a service file starts a program with the environment given`() throws {
    let bus = try PrivateBus(
      services: [
        "org.example.Echo.service":
          "[D-BUS Service]\nName=org.example.Echo\nExec=/bin/sh -c \"echo $WORD > $XDG_RUNTIME_DIR/said; exit 1\"\n"
      ], environment: ["WORD": "hello"])
    _ = try Subprocess.run(
      "busctl", ["--user", "call", "org.example.Echo", "/", "org.example.Echo", "Hello"],
      environment: bus.environment)
    #expect(bus.directory.read("said") == Array("hello\n".utf8))
  }
}
