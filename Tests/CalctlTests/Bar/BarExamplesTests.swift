import TestSupport
import Testing
import Widgets

@testable import CalctlCommands

@Suite struct `The configurations in packaging/examples/bars` {
  private static let folder = checkoutDirectory + "/packaging/examples/bars"

  /// The command lines of a file, up to what ends one in any of their languages.
  private static func commands(in file: String) throws -> [[String]] {
    let octets = try #require(readFile(folder + "/" + file), "\(file)")
    return String(decoding: octets, as: UTF8.self).matches(of: /calctl (bar --[-a-z0-9 ]+)/)
      .map { $0.output.1.split(separator: " ").map(String.init) }
  }

  private static func files() throws -> [String] {
    try Subprocess.run("ls", [folder]).output.split(separator: "\n").map(String.init)
  }

  @Test func `each asks for a bar in a way that calctl understands`() throws {
    var formats: Set<String> = []
    for file in try Self.files() where file != "README.md" {
      let commands = try Self.commands(in: file)
      if !file.hasSuffix("css") { #expect(!commands.isEmpty, "\(file)") }
      for words in commands {
        let arguments = try ParsedArguments(words.dropFirst(), for: .bar)
        let options = try BarOptions(arguments)
        #expect(options.format.follows || !arguments.has("--follow"), "\(file): \(words)")
        formats.insert(options.format.name)
      }
    }
    let others: Set = ["plain", "text", "template", "json", "xbar"]
    #expect(formats.union(others) == Set(BarFormat.all.map(\.name)))
  }

  @Test(arguments: [("up", "bar --do previous\n"), ("down", "bar --do next\n")])
  func `the wheel on eww runs one command, also where that fails`(
    _ direction: String, _ ran: String
  ) throws {
    let octets = try #require(readFile(Self.folder + "/eww.yuck"))
    let text = String(decoding: octets, as: UTF8.self)
    let line = try #require(text.firstMatch(of: /:onscroll "([^"]+)"/)).output.1
    let folder = try TemporaryDirectory()
    try folder.write("#!/bin/sh\necho \"$*\" >>\(folder.file("ran"))\nexit 1\n", to: "calctl")
    _ = try Subprocess.run("chmod", ["+x", folder.file("calctl")])
    let command = "PATH=\(folder.path):$PATH; " + line.replacing("{}", with: direction)
    _ = try Subprocess.run("sh", ["-c", command])
    #expect(String(decoding: folder.read("ran") ?? [], as: UTF8.self) == ran)
  }

  @Test(arguments: ["README.md", "README.zh-CN.md"])
  func `the module in the README is that of the example for waybar`(_ name: String) throws {
    func lines(_ path: String) throws -> [Substring] {
      String(decoding: try #require(readFile(path), "\(path)"), as: UTF8.self)
        .split(separator: "\n").map { $0.drop { $0 == " " } }
    }
    func module(_ lines: [Substring]) throws -> [String] {
      let start = try #require(lines.firstIndex { $0.hasPrefix("\"custom/datebook\": {") })
      return lines[start...].prefix { !$0.hasPrefix("}") }
        .map { String($0.last == "," ? $0.dropLast() : $0) }
    }
    let readme = try module(lines(checkoutDirectory + "/" + name))
    let example = try module(lines(Self.folder + "/waybar.jsonc"))
    #expect(readme.count > 4)
    for line in readme { #expect(example.contains(line), "\(line)") }
    let style = try lines(Self.folder + "/waybar.css").joined()
    for word in ["#custom-datebook { padding", "#custom-datebook.quiet", ".soon", ".running"] {
      #expect(style.contains(word), "\(word)")
    }
  }

  @Test func `notifications have their buttons on a click, in mako and in dunst`() throws {
    func text(_ name: String) throws -> String {
      String(
        decoding: try #require(
          readFile(checkoutDirectory + "/packaging/examples/notifications/" + name)),
        as: UTF8.self)
    }
    let mako = try text("mako.conf")
    #expect(mako.contains("[app-name=Datebook]"))
    #expect(mako.contains("on-button-left=exec makoctl menu -n \"$id\" "))
    let dunst = try text("dunstrc")
    #expect(
      dunst.contains("mouse_left_click = context\n") && dunst.contains("appname = Datebook\n"))
    for name in ["mako.conf", "dunstrc"] {
      #expect(try text("README.md").contains("(\(name))"), "\(name)")
    }
  }

  @Test func `the README lists each`() throws {
    let readme = String(
      decoding: try #require(readFile(Self.folder + "/README.md")), as: UTF8.self)
    for file in try Self.files() where file != "README.md" {
      #expect(readme.contains("(\(file))"), "\(file)")
    }
  }
}
