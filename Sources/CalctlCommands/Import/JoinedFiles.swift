import CalendarBus
import DBus
import Platform

/// Files of one format, joined in a file in memory.
struct JoinedFiles {
  let file: MemoryFile
  private let form: ImportForm
  private(set) var octets = 0
  private var lines: Int64 = 0
  /// The files, and the line at which each would begin if all of it were used.
  private(set) var parts: [(path: String, firstLine: Int64)] = []
  /// The line at which the used part of each file begins.
  private(set) var starts: [Int64] = []

  init(_ form: ImportForm) throws(CommandError) {
    self.form = form
    file = try MemoryFile()
  }

  /// Returns the text of a file, without a byte order mark.
  static func read(_ path: String, _ context: CommandContext) throws(CommandError) -> [UInt8] {
    var bytes: [UInt8]
    let room = Contract.maximumImport
    do throws(PlatformError) {
      bytes =
        try path == "-"
        ? context.readStandardInput(room)
        : readFile(path, maximumBytes: room, waitsForWriter: true)
    } catch .tooLarge {
      throw tooLarge
    } catch .system(let error) where error.code == .noSuchFileOrDirectory {
      throw .noFile(
        localized("cannot read {path}: {error}", ["path": path, "error": error.code.text]))
    } catch .system(let error) {
      throw .system(
        localized("cannot read {path}: {error}", ["path": path, "error": error.code.text]))
    } catch {
      throw .system(
        localized("cannot read {path}: {error}", ["path": path, "error": error.text]))
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    return bytes
  }

  private static var tooLarge: CommandError {
    .system(
      localized(
        "the files have more than {size} MiB together; import them one by one",
        ["size": Contract.maximumImport >> 20]))
  }

  /// Returns the first line of a table that is not blank, and the bytes and lines up to its end.
  static func header(of bytes: [UInt8]) -> (line: [UInt8], octets: Int, lines: Int64) {
    var (place, lines): (Int, Int64) = (0, 0)
    while place < bytes.count {
      let line = bytes[place...].prefix { $0 != 0x0A && $0 != 0x0D }
      place = line.endIndex
      if place < bytes.count {
        place = lineStart(in: bytes, behindLineEndAt: place)
        lines += 1
      }
      let isBlank = line.allSatisfy { ",;\t \"".utf8.contains($0) }
      if !isBlank { return (Array(line), place, lines) }
    }
    return ([], bytes.count, lines)
  }

  /// Returns whether a table has an open quote, so that the next file would continue it.
  static func hasOpenQuote(_ table: [UInt8]) -> Bool {
    table.count { $0 == UInt8(ascii: "\"") } % 2 == 1
  }

  /// Adds a file; a further table without its line of column names.
  mutating func add(_ path: String, _ text: [UInt8]) throws(CommandError) {
    // UTF-16 is never joined with another file.
    if ImportForm.isUTF16(text) {
      parts.append((path, 1))
      starts.append(1)
      return try write(text)
    }
    var bytes = text
    var skipped: Int64 = 0
    if form == .csv, !parts.isEmpty {
      let header = JoinedFiles.header(of: text)
      bytes.removeFirst(header.octets)
      skipped = header.lines
    }
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
    parts.append((path, lines + 1 - skipped))
    starts.append(lines + 1)
    try write(bytes)
    lines += JoinedFiles.lineEnds(of: bytes)
  }

  private mutating func write(_ bytes: [UInt8]) throws(CommandError) {
    octets += bytes.count
    guard octets <= Contract.maximumImport else { throw JoinedFiles.tooLarge }
    try file.write(bytes)
  }

  /// Returns whether the last line of iCalendar text is END:VCALENDAR, however it is folded.
  static func endsWithCalendar(_ text: [UInt8]) -> Bool {
    func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }
    func isLineEnd(_ octet: UInt8) -> Bool { octet == 0x0A || octet == 0x0D }
    guard let last = text.lastIndex(where: { !isBlank($0) && !isLineEnd($0) }) else { return false }
    var line: [UInt8] = []
    var isAtEnd = false
    for octet in text[...last].suffix(100) {
      // A line that begins with a blank continues the previous one.
      if isAtEnd, !isBlank(octet), !isLineEnd(octet) { line.removeAll() }
      isAtEnd = isLineEnd(octet)
      if !isBlank(octet), !isAtEnd { line.append(octet) }
    }
    return String(decoding: line, as: UTF8.self).uppercased() == "END:VCALENDAR"
  }

  /// Returns the number of line breaks in a text, as the agent counts them.
  private static func lineEnds(of bytes: [UInt8]) -> Int64 {
    var (count, place): (Int64, Int) = (0, 0)
    while place < bytes.count {
      if bytes[place] == 0x0A || bytes[place] == 0x0D {
        count += 1
        place = lineStart(in: bytes, behindLineEndAt: place)
      } else {
        place += 1
      }
    }
    return count
  }

  /// Returns the beginning of the line after a line break: CRLF, LF, CR or CR CR LF.
  private static func lineStart(in bytes: [UInt8], behindLineEndAt place: Int) -> Int {
    let rest = bytes[place...].prefix(3)
    if rest.starts(with: [0x0D, 0x0A]) { return place + 2 }
    return place + (rest.elementsEqual([0x0D, 0x0D, 0x0A]) ? 3 : 1)
  }
}
