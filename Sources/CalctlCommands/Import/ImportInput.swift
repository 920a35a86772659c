import CalendarBus
import DBus
import Platform

/// The text for one call of Import: a file, or several files of one format, so that they are
/// imported together or not at all.
struct ImportInput {
  /// Its name for people.
  let name: String
  /// A word of the contract; "" if the agent is to find out.
  let format: String
  /// The files it is made of.
  let paths: [String]
  /// Its size in octets; nil for a pipe.
  let octets: Int?
  /// The calendar of the folder of the files; nil if that is not one.
  let folder: FolderCalendar?
  /// The files and the line of the text at which each begins; empty for a single file.
  private let parts: [(path: String, firstLine: Int64)]
  /// The line of the text at which the used part of each file begins.
  private let starts: [Int64]
  private let opened: MemoryFile?

  /// One file; "-" is standard input.
  ///
  /// - Parameter format: as --format has it; "" goes by the name of the file.
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

  /// The same by another name.
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

  /// Returns the sources of the files and folders of the command line; see ``ImportFolder``.
  /// Files of one format and for one calendar are one source; tables only if they have the same
  /// columns and no open quote.
  ///
  /// - Parameters:
  ///   - format: as --format has it; "" goes by each file.
  ///   - isPlaced: whether a calendar was named, so that those of folders do not count.
  ///   - leaveOut: called for each file that is not a calendar.
  /// - Throws: ``CommandError`` if one of them cannot be read.
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

  /// Takes a file that is not a calendar, and its content.
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

  /// Returns the source without some of its files; nil if nothing is left.
  func without(
    _ bad: Set<String>, _ context: CommandContext
  ) throws(CommandError) -> ImportInput? {
    let rest = paths.filter { !bad.contains($0) }.map { ImportFile(path: $0, folder: folder) }
    return try ImportInput.sources(of: rest, format: format, context) { _, _ in }.first
  }

  /// The properties that the files of a source share.
  private struct Kind: Equatable {
    let form: ImportForm
    /// The first line of a table.
    let columns: [UInt8]
    let folder: FolderCalendar?
    /// Whether no other file may follow: a truncated one would swallow the next.
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

  /// Opens it, from its beginning; "-" can be read only once.
  func descriptor(_ context: CommandContext) throws(CommandError) -> DBus.FileDescriptor {
    guard let opened else { return try context.openForReading(paths[0]) }
    try opened.rewind()
    return try opened.duplicate()
  }

  /// Returns the file of a problem of the text, and the position in it.
  func place(of problem: Row) -> (path: String, line: Int64, column: Int64) {
    place(ofLine: problem.number(.line), column: problem.number(.column))
  }

  /// Returns the file and the line of the event that is imported instead of one that is left out;
  /// nil if there is none.
  func otherPlace(of problem: Row) -> (path: String, line: Int64)? {
    let line = problem.number(.otherLine)
    guard line > 0 else { return nil }
    let (path, number, _) = place(ofLine: line, column: 1)
    return (path, number)
  }

  private func place(
    ofLine line: Int64, column: Int64
  ) -> (path: String, line: Int64, column: Int64) {
    // The lines before a table's first are those of the file before.
    guard let index = starts.lastIndex(where: { $0 <= line }) else { return (name, line, column) }
    return (parts[index].path, line - parts[index].firstLine + 1, column)
  }

  /// Returns the agent's error about a text, "line 3, column 1: …", as one about a file.
  static func placed(_ message: String, in path: String) -> String {
    let words = message.split(separator: " ", maxSplits: 4)
    guard words.count == 5, words[0] == "line", words[2] == "column", words[3].last == ":",
      let line = Int(words[1].dropLast())
    else { return "\(path):1: \(message)" }
    return "\(path):\(line): \(words[4])"
  }
}

/// Lines of progress on a terminal.
enum Progress {
  /// Removes the current line.
  static let clear = "\r\u{1B}[K"
  /// An import of at least this many octets shows its progress.
  static let longOctets = 4 << 20
}
