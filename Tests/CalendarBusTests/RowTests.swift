import CalendarBus
import DBus
import Testing

@Suite struct `Rows` {
  @Test func `a row comes back from the dictionary it goes out as`() {
    var row = Row()
    row.set(.uid, "a")
    row.set(.start, .int64(7))
    row.set(.allDay, true)
    row.set(.categories, ["x", "y"])
    #expect(row.value.signature == "a{sv}")
    #expect(Row(row.value) == row)
    #expect(row.text(.uid) == "a")
    #expect(row.number(.start) == 7)
    #expect(row.flag(.allDay))
    #expect(row.texts(.categories) == ["x", "y"])
  }

  @Test func `a key that this version does not know is passed over`() {
    let row = Row(.row([("uid", .string("a")), ("mood", .string("good"))]))
    #expect(row.entries.map(\.key) == [.uid])
  }

  @Test func `what is no dictionary is an empty row`() {
    #expect(Row(.string("a")).entries.isEmpty)
  }

  @Test func `what is left out reads as nothing, also where the type is another`() {
    let row = Row(.row([("uid", .int64(1)), ("start", .string("x"))]))
    #expect(row.text(.uid) == "")
    #expect(row.number(.start) == 0)
    #expect(row.flag(.allDay) == false)
    #expect(row.texts(.categories) == [])
  }

  @Test func `a key is there once, and keeps its place when it is set again`() {
    var row = Row()
    row.set(.uid, "a")
    row.set(.summary, "b")
    row.set(.uid, "c")
    row.setUnlessEmpty(.location, "")
    #expect(row.entries.map(\.key) == [.uid, .summary])
    #expect(row.text(.uid) == "c")
  }

  @Test func `only the keys that are wanted stay, in their order`() {
    var row = Row()
    row.set(.uid, "a")
    row.set(.summary, "b")
    row.set(.start, .int64(1))
    #expect(row.only([.start, .uid]).entries.map(\.key) == [.uid, .start])
  }

  @Test func `rows differ by order, key and value`() {
    var (one, other) = (Row(), Row())
    one.set(.uid, "a")
    one.set(.summary, "b")
    other.set(.summary, "b")
    other.set(.uid, "a")
    #expect(one != other)
    #expect(one == one.only([.uid, .summary]))
    other = one
    other.set(.uid, "c")
    #expect(one != other)
  }

  @Test func `no rows are an empty array of dictionaries`() {
    #expect(Row.array([]).signature == "aa{sv}")
  }
}
