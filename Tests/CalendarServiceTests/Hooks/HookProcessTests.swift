import CalendarBus
import CivilTime
import DBus
import JSON
import Platform
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `Hooks of the program itself` {
  @Test func `a program in the user's folder is run when a reminder falls due, and is given it`()
    throws
  {
    let agent = try AgentProcess()
    var folder = "datebook"
    try agent.files.makeDirectory(folder)
    for name in ["hooks", "reminder-due.d"] {
      folder += "/" + name
      try agent.files.makeDirectory(folder)
    }
    // It says on the bus that it has written down what it was given.
    try agent.files.write(
      """
      #!/bin/sh
      cat > "$HOME/told"
      env | grep ^DATEBOOK_ | sort > "$HOME/environment"
      exec dbus-send --bus='\(agent.bus.address)' / org.example.Hook.HookRan

      """, to: folder + "/tell", mode: 0o700)
    try agent.start()
    var runs = 0
    let subscription = try agent.connection.subscribe(MatchRule(path: "/", member: "HookRan")) {
      _ in runs += 1
    }
    defer { subscription.cancel() }
    // Far enough ahead that it is written before it rings, also where the machine is busy.
    let start = try RealtimeClock(loop: agent.loop).now.adding(seconds: 15)
    let uid = try agent.add("Tea & <b>Ana</b>", at: start.description)
    try agent.wait(for: "the hook") { runs == 1 }
    let told = try JSONReader.value(
      of: #require(agent.files.read("told")), maximumOctets: 1 << 20)
    #expect(told["hook"] == "reminder-due")
    #expect(told["quiet"] == false)
    #expect(told["reminder"]?["uid"]?.stringValue == uid)
    #expect(told["reminder"]?["summary"] == "Tea & <b>Ana</b>")
    #expect(told["reminder"]?["start"] == .integer(start.seconds))
    let environment = String(decoding: agent.files.read("environment") ?? [], as: UTF8.self)
    #expect(environment.contains("DATEBOOK_HOOK=reminder-due\n"))
    #expect(environment.contains("DATEBOOK_UID=\(uid)\n"))
    #expect(try agent.terminate().status == .exited(0))
  }
}
