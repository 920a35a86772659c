import CalendarBus
import DBus
import Platform

/// The text for one call of Import: one file, or several that are imported all or not at all.
struct ImportInput {
  /// Its name for people.
  let name: String
  /// The format, a word of the contract; "" if the agent should recognise it.
  let format: String
  /// The files that it consists of.
  let paths: [String]
  /// Its size in bytes; nil for a pipe.
  let octets: Int?
  /// The calendar of the files' folder; nil if there is none.
  let folder: FolderCalendar?
  /// The files, with the line at which each begins in the text; empty for a single file.
  private let parts: [(path: String, firstLine: Int64)]
  /// The line at which the used part of each file begins in the text.
  private let starts: [Int64]
  private let opened: MemoryFile?

  /// Makes the input for one file; "-" means standard input.
  ///
  /// - Parameter format: The value of --format; "" uses the extension of the file.
  init(file path: String, format: String, _ context: CommandContext) {
    name = path == "-" ? localized("standard input") : path
    self.format = format.isEmpty ? ImportForm(nameOf: path)?.rawValue ?? "" : format
    paths = [path]
    octets =
      path == "-"
      ? SystemCalls.octetsLeft(context.standardInput) : SystemCalls.size(ofPath: path)
    folder = nil
    (parts, starts, opened) = ([], [], nil)
  }

  /// Copies another input with another name.
  private init(_ other: ImportInput, name: String) {
    self.name = name
    (format, paths, octets, folder) = (other.format, other.paths, other.octets, other.folder)
    (parts, starts, opened) = (other.parts, other.starts, other.opened)
  }

  private init(_ joined: JoinedFiles, _ kind: Kind) {
    name =
      joined.parts.count == 1
      ? joined.parts[0].path
      : kind.folder?.path
        ?? localized(joined.parts.count, one: "{count} file", other: "{count} files")
    format = kind.form.rawValue
    folder = kind.folder
    (paths, parts, octets) = (joined.parts.map(\.path), joined.parts, joined.octets)
    starts = joined.starts
    opened = joined.file
  }

  /// Returns the inputs for the files and folders of the command line; see ``ImportFolder``.
  ///
  /// Files of one format and for one calendar are joined; tables only if they have the same columns
  /// and no open quote.
  ///
  /// - Parameters:
  ///   - format: The value of --format; "" recognises it for each file.
  ///   - isPlaced: Whether a calendar was named, so that folders do not become calendars.
  ///   - leaveOut: Called for each file that is not a calendar.
  /// - Throws: ``CommandError`` if a file cannot be read.
  static func sources(
    _ paths: [String], format: String, isPlaced: Bool, _ context: CommandContext,
    leaveOut: LeaveOut
  ) throws(CommandError) -> [ImportInput] {
    if paths.count == 1, !ImportFolder.isFolder(paths[0]) {
      return [ImportInput(file: paths[0], format: format, context)]
    }
    var files: [ImportFile] = []
    for path in paths {
      if ImportFolder.isFolder(path) {
        files += try ImportFolder(path).files(areNamed: !isPlaced, context)
      } else {
        files.append(ImportFile(path: path))
      }
    }
    let sources = try sources(of: files, format: format, context, leaveOut: leaveOut)
    guard sources.count == 1, paths.count == 1 else { return sources }
    return [ImportInput(sources[0], name: paths[0])]
  }

  /// Handles a file that is not a calendar.
  typealias LeaveOut = (_ path: String, _ bytes: [UInt8]) throws(CommandError) -> Void

  private static func sources(
    of files: [ImportFile], format: String, _ context: CommandContext, leaveOut: LeaveOut
  ) throws(CommandError) -> [ImportInput] {
    var groups: [(kind: Kind, files: JoinedFiles)] = []
    for (place, file) in files.enumerated() {
      if context.showsProgress, place % 100 == 99 {
        context.writeError(
          "\r"
            + localized(
              "Reading file {number} of {most}", ["number": place + 1, "most": files.count]))
      }
      let bytes = try JoinedFiles.read(file.path, context)
      if format.isEmpty, file.isFound, ImportForm.isStray(bytes, named: file.path) {
        context.output.warning(
          localized("{path}: not a calendar file; skipped", ["path": "\(file.path):1"]))
        continue
      }
      guard let form = ImportForm(bytes, named: format) else {
        try leaveOut(file.path, bytes)
        continue
      }
      let kind = Kind(form, bytes, of: file)
      var group = kind.isAlone ? nil : groups.firstIndex { $0.kind == kind }
      if group == nil {
        groups.append((kind, try JoinedFiles(form)))
        group = groups.count - 1
      }
      if let group { try groups[group].files.add(file.path, bytes) }
    }
    if context.showsProgress, files.count > 99 { context.writeError(Progress.clear) }
    return groups.map { ImportInput($0.files, $0.kind) }
  }

  /// Returns the input without some of its files; nil if nothing is left.
  func without(
    _ bad: Set<String>, _ context: CommandContext
  ) throws(CommandError) -> ImportInput? {
    let rest = paths.filter { !bad.contains($0) }.map { ImportFile(path: $0, folder: folder) }
    return try ImportInput.sources(of: rest, format: format, context) { _, _ in }.first
  }

  /// The properties that joined files share.
  private struct Kind: Equatable {
    let form: ImportForm
    /// The first line of a table.
    let columns: [UInt8]
    let folder: FolderCalendar?
    /// Whether no other file may follow, because the text would continue into it.
    let isAlone: Bool

    init(_ form: ImportForm, _ bytes: [UInt8], of file: ImportFile) {
      self.form = form
      folder = file.folder
      columns = form == .csv ? JoinedFiles.header(of: bytes).line : []
      isAlone =
        ImportForm.isUTF16(bytes) || form == .csv && JoinedFiles.hasOpenQuote(bytes)
        || form == .ics && !JoinedFiles.endsWithCalendar(bytes)
    }
  }

  /// Opens the input at its beginning; "-" can be read only once.
  func descriptor(_ context: CommandContext) throws(CommandError) -> DBus.FileDescriptor {
    guard let opened else { return try context.openForReading(paths[0]) }
    try opened.rewind()
    return try opened.duplicate()
  }

  /// Returns the file of a problem, and the position in it.
  func place(of problem: Row) -> (path: String, line: Int64, column: Int64) {
    place(ofLine: problem.number(.line), column: problem.number(.column))
  }

  /// Returns the position of the event that replaced one that was left out; nil if there is none.
  func otherPlace(of problem: Row) -> (path: String, line: Int64)? {
    let line = problem.number(.otherLine)
    guard line > 0 else { return nil }
    let (path, number, _) = place(ofLine: line, column: 1)
    return (path, number)
  }

  private func place(
    ofLine line: Int64, column: Int64
  ) -> (path: String, line: Int64, column: Int64) {
    // Lines before the beginning of a table belong to the previous file.
    guard let index = starts.lastIndex(where: { $0 <= line }) else { return (name, line, column) }
    return (parts[index].path, line - parts[index].firstLine + 1, column)
  }

  /// Converts the agent's error about a text, "line 3, column 1: …", to one about a file.
  ///
  /// Of a text that is cut off it does not say that nothing was imported: other files may be.
  static func placed(_ message: String, in path: String) -> String {
    let (place, problem) = split(message, path)
    guard message.contains(Contract.fileIsCutOff) else { return "\(place): \(problem)" }
    return localized(
      "{place}: the file is cut off: it ends within a calendar, without {end}",
      ["place": place, "end": Contract.fileIsCutOff])
  }

  /// Returns an error of the agent about a text with its position in the user's language.
  static func translated(_ message: String) -> String {
    guard let (line, column, problem) = position(message) else { return message }
    return localized(
      "line {line}, column {column}: {problem}",
      ["line": "\(line)", "column": "\(column)", "problem": problem])
  }

  /// Returns the place of an error of the agent in a file, and what is wrong there.
  private static func split(
    _ message: String, _ path: String
  ) -> (place: String, problem: String) {
    guard let (line, _, problem) = position(message) else { return ("\(path):1", message) }
    return ("\(path):\(line)", problem)
  }

  /// Reads "line 3, column 1: …", which is the same in every language.
  private static func position(_ message: String) -> (line: Int, column: Int, problem: String)? {
    let words = message.split(separator: " ", maxSplits: 4)
    guard words.count == 5, words[0] == "line", words[2] == "column", words[3].last == ":",
      let line = Int(words[1].dropLast()), let column = Int(words[3].dropLast())
    else { return nil }
    return (line, column, String(words[4]))
  }
}

/// Lines of progress on a terminal.
enum Progress {
  /// Removes the current line.
  static let clear = "\r\u{1B}[K"
  /// The smallest import that shows its progress, in bytes.
  static let longOctets = 4 << 20
}
