import CalendarBus
import DBus
import Platform

/// What one call of Import reads: a file, or several of one form as one text, so that they
/// come in together or not at all.
struct ImportSource {
  /// What is read, for people.
  let name: String
  /// A word of the contract; "" where the agent looks.
  let format: String
  /// The files it is made of.
  let paths: [String]
  /// How long it is, in octets, as far as that is known.
  let octets: Int
  /// The files and the line of the text at which each begins; empty for one alone.
  private let parts: [(path: String, firstLine: Int64)]
  /// The line of the text at which what is taken of each file begins.
  private let starts: [Int64]
  private let opened: DBus.FileDescriptor?

  /// One file; "-" is standard input.
  ///
  /// - Parameter format: as --format has it; "" is what the name of the file says.
  init(file path: String, format: String) {
    name = path == "-" ? "standard input" : path
    self.format = format.isEmpty ? ImportForm(nameOf: path)?.rawValue ?? "" : format
    paths = [path]
    octets = SystemCalls.size(ofPath: path) ?? 0
    (parts, starts, opened) = ([], [], nil)
  }

  private init(_ joined: JoinedFiles, name: String, format: ImportForm) {
    self.name = name
    self.format = format.rawValue
    (paths, parts, octets) = (joined.parts.map(\.path), joined.parts, joined.octets)
    starts = joined.starts
    opened = joined.descriptor
  }

  /// Takes what is named on the command line apart.
  ///
  /// A folder means the files in it that have a name of a calendar, in the order of their
  /// names, without JSON and tables of something else: so a collection of a vdir is read. Files of one form are one source, tables
  /// only those with the same columns and without a quote that is left open.
  ///
  /// - Parameters:
  ///   - format: as --format has it; "" is what each file is like.
  ///   - skipping: the files that are left out; nil: one that is no calendar is an error,
  ///     else it is left out, too, and told.
  /// - Throws: ``CommandError`` where one of them cannot be read, or is no calendar.
  static func sources(
    _ paths: [String], format: String, skipping: Set<String>?, _ context: CommandContext
  ) throws(CommandError) -> [ImportSource] {
    if paths.count == 1, !isFolder(paths[0]) {
      return [ImportSource(file: paths[0], format: format)]
    }
    var files: [String] = []
    var found: Set<String> = []
    for path in paths {
      guard isFolder(path) else {
        files.append(path)
        continue
      }
      let calendars = try calendars(inFolder: path)
      files += calendars
      found.formUnion(calendars)
    }
    var groups: [(form: ImportForm, columns: [UInt8], isAlone: Bool, files: JoinedFiles)] = []
    for (place, path) in files.enumerated() where !(skipping?.contains(path) ?? false) {
      if context.showsProgress, place % 100 == 99 {
        context.writeError("\rReading file \(place + 1) of \(files.count)")
      }
      let bytes = try JoinedFiles.read(path, context)
      if format.isEmpty, found.contains(path), ImportForm.isStray(bytes, named: path) {
        context.output.warning("\(path):1: this is no calendar; it is passed by")
        continue
      }
      guard let form = ImportForm(bytes, named: format) else {
        let fault = CommandError.system(
          "\(path):1: this is neither iCalendar, jCal nor a table in UTF-8")
        guard skipping != nil else { throw fault.withSkipHint }
        context.output.warning(
          "\(path):1: neither iCalendar, jCal nor a table in UTF-8; it is left out")
        continue
      }
      let columns = form == .csv ? JoinedFiles.header(of: bytes).line : []
      let isAlone = form == .csv && JoinedFiles.hasOpenQuote(bytes)
      var group = groups.firstIndex {
        !isAlone && !$0.isAlone && $0.form == form && $0.columns == columns
      }
      if group == nil {
        groups.append((form, columns, isAlone, try JoinedFiles(form)))
        group = groups.count - 1
      }
      if let group { try groups[group].files.add(path, bytes) }
    }
    if context.showsProgress, files.count > 99 { context.writeError(Progress.clear) }
    var sources: [ImportSource] = []
    for index in groups.indices {
      try groups[index].files.finish()
      let joined = groups[index].files
      let name =
        groups.count == 1 && paths.count == 1
        ? paths[0] : joined.parts.count == 1 ? joined.parts[0].path : "\(joined.parts.count) files"
      sources.append(ImportSource(joined, name: name, format: groups[index].form))
    }
    return sources
  }

  /// Opens it, from its beginning; what "-" is can be read but once.
  func descriptor(_ context: CommandContext) throws(CommandError) -> DBus.FileDescriptor {
    guard let opened else { return try context.openForReading(paths[0]) }
    do throws(SystemError) { try SystemCalls.rewind(opened.number) } catch {
      throw .system("cannot read a file in memory: \(error.code)")
    }
    return try asBusError { () throws(DBusError) in
      try DBus.FileDescriptor(duplicating: opened.number)
    }
  }

  /// In which file a line of the text stands, and which line of that it is.
  func part(ofLine line: Int64) -> (path: String, line: Int64) {
    // The lines above a table's own are those of the file before.
    guard let index = starts.lastIndex(where: { $0 <= line }) else { return (name, line) }
    return (parts[index].path, line - parts[index].firstLine + 1)
  }

  private static func isFolder(_ path: String) -> Bool {
    path != "-" && SystemCalls.isFolder(path)
  }

  private static func calendars(inFolder path: String) throws(CommandError) -> [String] {
    let folder = path.hasSuffix("/") ? path : path + "/"
    let names: [String]
    do throws(SystemError) { names = try SystemCalls.names(inFolder: path) } catch {
      throw .system("cannot read \(path): \(error.code)")
    }
    // A name with a dot in front is a file that somebody is still writing.
    let files = names.filter { !$0.hasPrefix(".") && ImportForm(nameOf: $0) != nil }.sorted()
    guard !files.isEmpty else {
      throw .system(
        "\(path) is a directory without iCalendar files (.ics), or jCal (.jcal, .json) or tables (.csv)"
      )
    }
    return files.map { folder + $0 }
  }
}

/// A form in which events come, by the words of the contract.
enum ImportForm: String, CaseIterable {
  case ics, jcal, csv

  /// The form that the name of a file says; nil for any other.
  init?(nameOf path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".ics") {
      self = .ics
    } else if name.hasSuffix(".csv") {
      self = .csv
    } else if name.hasSuffix(".json") || name.hasSuffix(".jcal") {
      self = .jcal
    } else {
      return nil
    }
  }

  /// Whether what a folder has beside its calendars is none: many programs keep JSON and tables
  /// of their own.
  static func isStray(_ bytes: [UInt8], named path: String) -> Bool {
    let name = path.lowercased()
    guard name.hasSuffix(".json") || name.hasSuffix(".csv") else { return false }
    guard let form = ImportForm(bytes, named: "") else { return true }
    guard form == .jcal else { return false }
    let word = bytes.drop { [0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "[")].contains($0) }.prefix(11)
    return String(decoding: word, as: UTF8.self).lowercased() != "\"vcalendar\""
  }

  /// The form of a text, as --format says it, or as it begins; nil for what is no calendar.
  init?(_ bytes: [UInt8], named format: String) {
    if !format.isEmpty {
      self = ImportForm(rawValue: format) ?? .jcal
      return
    }
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    let columns = String(decoding: JoinedFiles.header(of: bytes).line, as: UTF8.self)
      .lowercased().split { ",;\t\" ".contains($0) }
    if String(decoding: start.prefix(6), as: UTF8.self).uppercased() == "BEGIN:" {
      self = .ics
    } else if start.first == UInt8(ascii: "[") {
      self = .jcal
    } else if columns.contains("summary"), columns.contains("start") {
      self = .csv
    } else {
      return nil
    }
  }
}

/// Lines of progress on a terminal.
enum Progress {
  /// Takes back the line that is there.
  static let clear = "\r\u{1B}[K"
  /// From so many octets on an import is long.
  static let longOctets = 4 << 20
}

extension CommandError {
  /// Says how the other files come in without this one.
  var withSkipHint: CommandError {
    let hint = "; nothing was imported (--skip-bad imports the others)"
    return switch self {
    case .system(let text): .system(text + hint)
    case .refused(let name, let message): .refused(name: name, message: message + hint)
    default: self
    }
  }
}
