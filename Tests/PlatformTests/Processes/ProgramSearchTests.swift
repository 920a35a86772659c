import Platform
import TestSupport
import Testing

@Suite struct `A program that is started by its name` {
  @Test func `it is the first of the folders that has it as a program`() throws {
    let folder = try TemporaryDirectory()
    _ = try Subprocess.run("mkdir", [folder.file("one"), folder.file("two")])
    try folder.write("#!/bin/sh\n", to: "one/tool")
    try folder.write("#!/bin/sh\n", to: "two/tool")
    let path = "\(folder.file("none")):\(folder.file("one")):\(folder.file("two"))"
    #expect(program(named: "tool", path: path) == nil, "neither may be run")
    _ = try Subprocess.run("chmod", ["+x", folder.file("two/tool")])
    #expect(program(named: "tool", path: path) == folder.file("two/tool"))
    #expect(program(named: "/opt/tool", path: path) == "/opt/tool")
    #expect(program(named: "sh", path: nil)?.hasSuffix("/sh") == true)
  }
}
