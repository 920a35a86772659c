import CalendarBus
import DBus
import Platform

/// What calctl import reads: a file, or several and folders of them as one text, so that
/// they come in together or not at all.
struct ImportSource {
  /// What is read, for people.
  let name: String
  let descriptor: DBus.FileDescriptor
  /// How long it is, in octets, as far as that is known.
  let octets: Int
  /// The files and the line of the text at which each begins; empty for one alone.
  private let parts: [(path: String, firstLine: Int64)]

  /// Opens what is named on the command line; "-" is standard input.
  ///
  /// A folder means the iCalendar files in it, in the order of their names: so a
  /// collection of a vdir is read.
  ///
  /// - Throws: ``CommandError`` where one of them cannot be read.
  init(_ paths: [String], _ context: CommandContext) throws(CommandError) {
    if paths.count == 1, !ImportSource.isFolder(paths[0]) {
      name = paths[0] == "-" ? "standard input" : paths[0]
      descriptor = try context.openForReading(paths[0])
      octets = SystemCalls.size(ofPath: paths[0]) ?? 0
      parts = []
      return
    }
    var files: [String] = []
    for path in paths {
      files += ImportSource.isFolder(path) ? try ImportSource.calendars(inFolder: path) : [path]
    }
    name = paths.count == 1 ? paths[0] : "\(files.count) files"
    var joined = try JoinedCalendars()
    for (place, path) in files.enumerated() {
      if context.showsProgress, place % 100 == 99 {
        context.writeError("\rReading file \(place + 1) of \(files.count)")
      }
      try joined.add(path, context)
    }
    if context.showsProgress, files.count > 99 { context.writeError(Progress.clear) }
    (descriptor, parts, octets) = (try joined.finish(), joined.parts, joined.octets)
  }

  /// Where a line of the text stands, as "FILE:12".
  func place(ofLine line: Int64) -> String {
    guard let part = parts.last(where: { $0.firstLine <= line }) else { return "\(name):\(line)" }
    return "\(part.path):\(line - part.firstLine + 1)"
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
    let files = names.filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".ics") }.sorted()
    guard !files.isEmpty else {
      throw .system("\(path) is a directory without iCalendar files (.ics)")
    }
    return files.map { folder + $0 }
  }
}

/// Lines of progress on a terminal.
enum Progress {
  /// Takes back the line that is there.
  static let clear = "\r\u{1B}[K"
  /// From so many octets on an import is long.
  static let longOctets = 4 << 20
}

/// Files of iCalendar one after the other, in a file in memory.
private struct JoinedCalendars {
  private let number: Int32
  private let descriptor: DBus.FileDescriptor
  private(set) var octets = 0
  private var lines: Int64 = 0
  private(set) var parts: [(path: String, firstLine: Int64)] = []

  init() throws(CommandError) {
    do throws(SystemError) { number = try SystemCalls.makeMemoryFile() } catch {
      throw .system("cannot make a file in memory: \(error.code)")
    }
    descriptor = DBus.FileDescriptor(owning: number)
  }

  mutating func add(_ path: String, _ context: CommandContext) throws(CommandError) {
    var bytes: [UInt8]
    do throws(PlatformError) {
      let room = Contract.maximumImport - octets
      bytes =
        path == "-"
        ? try readToEnd(
          descriptor: context.standardInput, maximumBytes: room, source: "standard input")
        : try readFile(path, maximumBytes: room)
    } catch .tooLarge {
      throw .system("the files together have more than \(Contract.maximumImport >> 20) MiB")
    } catch .system(let error) where error.code == .noSuchFileOrDirectory {
      throw .noFile("cannot read \(path): \(error.code)")
    } catch .system(let error) {
      throw .system("cannot read \(path): \(error.code)")
    } catch {
      throw .system("cannot read \(path): \(error)")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard JoinedCalendars.isCalendar(bytes) else {
      throw .system(
        "\(path) is no iCalendar file in UTF-8; what else can be imported, is imported by itself")
    }
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
    parts.append((path, lines + 1))
    octets += bytes.count
    lines += JoinedCalendars.lineEnds(of: bytes)
    do throws(SystemError) {
      var done = 0
      while done < bytes.count { done += try SystemCalls.write(number, bytes, from: done) }
    } catch {
      throw .system("cannot keep \(path) in memory: \(error.code)")
    }
  }

  /// Goes to the beginning of all that was added.
  func finish() throws(CommandError) -> DBus.FileDescriptor {
    do throws(SystemError) { try SystemCalls.rewind(number) } catch {
      throw .system("cannot read a file in memory: \(error.code)")
    }
    return descriptor
  }

  /// Whether a text begins as iCalendar does; JSON, tables and UTF-16 do not.
  private static func isCalendar(_ bytes: [UInt8]) -> Bool {
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    return String(decoding: start.prefix(6), as: UTF8.self).uppercased() == "BEGIN:"
  }

  /// How many lines end in a text: with CRLF, LF or CR.
  private static func lineEnds(of bytes: [UInt8]) -> Int64 {
    var count: Int64 = 0
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 0x0D || byte == 0x0A && previous != 0x0D { count += 1 }
      previous = byte
    }
    return count
  }
}
