import TestSupport

/// Copies of programs with the catalogue of one language next to them, as they are installed.
struct TranslatedPrograms {
  private let folder: TemporaryDirectory
  /// The folder of the programs.
  var path: String { folder.file("bin") }

  /// Takes the language from packaging/po.
  init(_ language: String, of programs: [String]) throws {
    let folder = try TemporaryDirectory()
    let made = try Subprocess.run(
      "msgfmt",
      [
        "--output-file=" + folder.file("datebook.mo"),
        checkoutDirectory + "/packaging/po/\(language).po",
      ])
    guard made.code == 0, let catalogue = readFile(folder.file("datebook.mo")) else {
      throw TestSupportError("msgfmt: \(made.errors)")
    }
    try self.init(catalogue: catalogue, language, of: programs)
  }

  /// calctl and datebookd in the language "xx", of which no letter is ASCII.
  static func pseudo() throws -> TranslatedPrograms {
    guard let template = readFile(checkoutDirectory + "/packaging/po/datebook.pot") else {
      throw TestSupportError("there is no template of the catalogue")
    }
    return try TranslatedPrograms(
      catalogue: pseudoCatalogue(template: String(decoding: template, as: UTF8.self)), "xx",
      of: ["calctl", "datebookd"])
  }

  /// - Parameter catalogue: A compiled catalogue.
  init(catalogue: [UInt8], _ language: String, of programs: [String]) throws {
    folder = try TemporaryDirectory()
    try folder.makeDirectory("bin")
    for program in programs {
      _ = try Subprocess.run("cp", [Session.program(program), folder.file("bin")])
    }
    let messages = "share/locale/\(language)/LC_MESSAGES"
    _ = try Subprocess.run("mkdir", ["-p", folder.file(messages)])
    try folder.write(catalogue, to: messages + "/datebook.mo")
  }
}
