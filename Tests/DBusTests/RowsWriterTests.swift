import TestSupport
import Testing

@testable import DBus

@Suite struct `Rows that are laid out` {
  private let keys = [
    LaidOutKey("uid", "s"), LaidOutKey("start", "x"), LaidOutKey("all-day", "b"),
    LaidOutKey("categories", "as"), LaidOutKey("revision", "t"), LaidOutKey("end-text", "s"),
  ]

  private let call: Message

  init() throws { call = try sentCall() }

  private func read(_ rows: EncodedRows, _ rest: [Value] = []) throws -> [Value] {
    try Message.reply(to: call, rows, rest).arguments()
  }

  @Test func `no rows, and rows without keys, are read back`() throws {
    #expect(try read(RowsWriter().finished()) == [.rows([])])
    var writer = RowsWriter()
    for _ in 0..<3 {
      writer.beginRow()
      writer.endRow()
    }
    #expect(try read(writer.finished(), [.string("x")]) == [.rows([[], [], []]), .string("x")])
  }

  @Test func `values of each type are read back as they were added, however they are aligned`()
    throws
  {
    var random = SeededGenerator(seed: 20_261_121)
    for round in 0..<100 {
      var writer = RowsWriter()
      var rows: [[(String, Value)]] = []
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        var row: [(String, Value)] = []
        writer.beginRow()
        for _ in 0..<Int.random(in: 0..<9, using: &random) {
          let number = Int64(bitPattern: random.next())
          let text = String(repeating: "é", count: Int(number & 31))
          let key = Int.random(in: 0..<keys.count, using: &random)
          switch key {
          case 0:
            writer.add(keys[key], text)
            row.append(("uid", .string(text)))
          case 1:
            writer.add(keys[key], number)
            row.append(("start", .int64(number)))
          case 2:
            writer.add(keys[key], number > 0)
            row.append(("all-day", .boolean(number > 0)))
          case 3:
            let texts = [String](repeating: text, count: Int(number & 3))
            writer.add(keys[key], texts)
            row.append(("categories", .strings(texts)))
          case 4:
            writer.add(keys[key], UInt64(bitPattern: number))
            row.append(("revision", .uint64(UInt64(bitPattern: number))))
          default:
            var text = text
            text.withUTF8 { writer.add(keys[key], utf8: UnsafeRawBufferPointer($0)) }
            row.append(("end-text", .string(text)))
          }
        }
        writer.endRow()
        rows.append(row)
      }
      let rest: [Value] = [.string("next"), .uint32(7)]
      #expect(try read(writer.finished(), rest) == [.rows(rows)] + rest, "\(round)")
    }
  }

  @Test func `what cannot be sent is refused`() throws {
    func error(_ texts: [String]) -> DBusError? {
      var writer = RowsWriter()
      writer.beginRow()
      for text in texts { writer.add(keys[0], text) }
      writer.endRow()
      do throws(DBusError) { _ = try writer.finished() } catch { return error }
      return nil
    }
    #expect(error(["a\0b"])?.name == .invalidArgs)
    #expect(error(["a\0b", "c"])?.name == .invalidArgs)
    let long = String(repeating: "x", count: MessageWriter.maximumOctets / 2)
    #expect(error([long, long])?.name == .limitsExceeded)
    #expect(error([long]) == nil)
  }

  @Test func `what is past the longest message is not kept`() throws {
    let long = String(repeating: "x", count: 900_000)
    let lists = [String](repeating: long, count: 50)
    var writer = RowsWriter()
    var rows = 0
    while rows < 5000, !writer.isTooLong {
      writer.beginRow()
      writer.add(keys[1], Int64(7))
      writer.add(keys[0], long)
      writer.endRow()
      rows += 1
    }
    #expect(rows == MessageWriter.maximumOctets / 900_000 + 1)
    for _ in 0..<100 {
      writer.beginRow()
      writer.add(keys[1], Int64(7))
      writer.add(keys[0], long)
      writer.add(keys[3], lists)
      writer.endRow()
    }
    let capacity = writer.capacity
    #expect(capacity <= RowsWriter.mostCapacity)
    do throws(DBusError) {
      _ = try writer.finished()
      Issue.record("as much as that was not refused")
    } catch {
      #expect(error == MessageWriter.tooLong)
    }
  }

  @Test func `many short rows stay within the longest message by one of them`() throws {
    var writer = RowsWriter()
    var rows = 0
    while rows < 2_000_000, !writer.isTooLong {
      writer.beginRow()
      for _ in 0..<4 { writer.add(keys[1], Int64(7)) }
      writer.endRow()
      rows += 1
    }
    #expect(rows < 2_000_000)
    let capacity = writer.capacity
    #expect(capacity <= RowsWriter.mostCapacity)
  }

  @Test func `a row as long as a message may be is sent, and an octet more is not`() throws {
    // The lengths of the array, of the row and of the text, the key with its padding, and the NUL.
    let least = 4 + 4 + keys[0].octets.count + 4 + 1
    func finished(_ count: Int) throws(DBusError) -> Int {
      var writer = RowsWriter()
      writer.beginRow()
      writer.add(keys[0], String(repeating: "x", count: count))
      writer.endRow()
      return try writer.finished().octets.count
    }
    let padding = try finished(0) - least
    let most = MessageWriter.maximumOctets - least - padding
    #expect(try finished(most) == MessageWriter.maximumOctets)
    #expect(throws: MessageWriter.tooLong) { try finished(most + 1) }
  }
}
