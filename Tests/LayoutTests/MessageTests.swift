import TestSupport
import Testing

@Suite struct `Texts for people` {
  @Test func `the template of the catalogue has each text of the sources`() throws {
    let checkout = Checkout.here
    let extracted = try Subprocess.run("python3", [checkout.root + "/packaging/po/extract"])
    #expect(extracted.errors == "")
    #expect(
      try checkout.text(of: "packaging/po/datebook.pot") == extracted.output,
      "run packaging/po/update")
  }

  @Test func `each translation has each text, and none that is gone`() throws {
    let checked = try Subprocess.run("python3", [Checkout.here.root + "/packaging/po/check"])
    #expect(checked.errors == "")
  }

  @Test(
    arguments: [
      (#"msgid "{count} is {title}" msgstr "{title} {count}""#, nil),
      (#"msgid "{count} is {title}" msgstr """#, "empty"),
      (#"#, fuzzy msgid "{count} is {title}" msgstr "{title} {count}""#, "fuzzy"),
      (#"msgid "{count} is {title}" msgstr "{titel} {count}""#, "other placeholders"),
      (#"msgid "{count} is {title}" msgstr "{title}""#, "other placeholders"),
      (#"msgid "{title}" msgstr "{title}""#, "missing"),
    ] as [(String, String?)])
  func `a translation with a problem is found`(_ entry: String, _ problem: String?) throws {
    let folder = try TemporaryDirectory()
    let header = "msgid \"\"\nmsgstr \"\"\n\n"
    let template = #"msgid "{count} is {title}" msgstr """#
    try folder.write(try Checkout.here.text(of: "packaging/po/check"), to: "check")
    for (name, text) in [("datebook.pot", template), ("xx.po", entry)] {
      let lines = header + text.replacing(" msg", with: "\nmsg") + "\n"
      try folder.write(lines, to: name)
    }
    let checked = try Subprocess.run("python3", [folder.path + "/check"])
    let first = checked.errors.split(separator: "\n").first.map(String.init)
    if let problem {
      #expect(first?.contains("xx.po: \(problem): ") == true, "\(checked)")
    } else {
      #expect(first == nil)
    }
  }

  @Test func `gettext accepts each translation`() throws {
    let folder = Checkout.here.root + "/packaging/po/"
    for file in try Checkout.here.names(in: "packaging/po") where file.hasSuffix(".po") {
      let checked = try Subprocess.run(
        "msgfmt", ["--check", "--output-file=/dev/null", folder + file])
      #expect(checked.errors == "" && checked.status == .exited(0))
    }
  }
}
