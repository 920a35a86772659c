import CalendarBus
import DBus
import Platform

/// A file to import, each by a call of its own.
struct ImportFile {
  /// "-" is standard input.
  let path: String
  /// What was named on the command line: the file, or the folder that it was found in.
  let argument: String
  /// The calendar that its folder is; nil where that is none, or the file was named by itself.
  var folder: FolderCalendar?
  /// Whether it was found in a folder, and not named.
  var isFound = false
  /// What a pipe gives, once that was read.
  private var contents: MemoryFile?

  init(path: String, argument: String? = nil, folder: FolderCalendar? = nil, isFound: Bool = false)
  {
    self.path = path
    self.argument = argument ?? ImportFile.name(of: path)
    (self.folder, self.isFound) = (folder, isFound)
  }

  /// What it is called, for people.
  var name: String { ImportFile.name(of: path) }

  private static func name(of path: String) -> String { path == "-" ? "standard input" : path }

  /// How long it is, in octets; nil for a pipe, of which nobody knows.
  func octets(_ context: CommandContext) -> Int? {
    path == "-"
      ? SystemCalls.octetsLeft(context.standardInput) : SystemCalls.size(ofPath: path)
  }

  /// Opens it, from its beginning.
  func descriptor(_ context: CommandContext) throws(CommandError) -> DBus.FileDescriptor {
    guard let contents else { return try context.openForReading(path) }
    try contents.rewind()
    return try contents.duplicate()
  }

  /// Returns a file that can be read more than once: what a pipe gives is put into memory.
  func rereadable(_ context: CommandContext) throws(CommandError) -> ImportFile {
    guard path == "-" || SystemCalls.size(ofPath: path) == nil else { return self }
    var file = self
    let contents = try MemoryFile()
    try contents.write(ImportFile.octets(of: path, context))
    file.contents = contents
    return file
  }

  /// Returns all that a pipe gives.
  static func octets(
    of path: String, _ context: CommandContext
  ) throws(CommandError) -> [UInt8] {
    let room = Contract.maximumImport
    do throws(PlatformError) {
      return try path == "-"
        ? context.readStandardInput(room)
        : readFile(path, maximumBytes: room, waitsForWriter: true)
    } catch .tooLarge {
      throw .system("\(name(of: path)) has more than \(room >> 20) MiB")
    } catch .system(let error) where error.code == .noSuchFileOrDirectory {
      throw .noFile("cannot read \(path): \(error.code)")
    } catch .system(let error) {
      throw .system("cannot read \(path): \(error.code)")
    } catch {
      throw .system("cannot read \(path): \(error)")
    }
  }

  /// What the agent says of its text, "line 3, column 1: …", as it is said of a file.
  func placed(_ message: String) -> String {
    let words = message.split(separator: " ", maxSplits: 4)
    guard words.count == 5, words[0] == "line", words[2] == "column", words[3].last == ":",
      let line = Int(words[1].dropLast())
    else { return "\(name): \(message)" }
    return "\(name):\(line): \(words[4])"
  }
}

/// Lines of progress on a terminal.
enum Progress {
  /// Takes back the line that is there.
  static let clear = "\r\u{1B}[K"
  /// From so many octets on an import is long.
  static let longOctets = 4 << 20
}
