import Testing

@Suite struct `What a ledger of edits finds lost` {
  private var ledger = EditLedger()

  private mutating func note(
    _ step: Int, _ machine: Int, _ property: String, _ value: String?, occurrence: String = "",
    view: Set<String> = [], waiting: Set<Int> = []
  ) {
    let place = EditLedger.Place(uid: "a", occurrence: occurrence, property: property)
    ledger.note(
      EditLedger.Edit(
        step: step, machine: machine, place: place, value: value, view: view, waiting: waiting))
  }

  /// The steps of what was lost, where these values are there in the end.
  private func lost(_ standing: [String: String], trash: String = "") -> [Int] {
    ledger.losses(of: [0, 1], standing: { standing[$0.occurrence + $0.property] }, trash: trash)
      .map(\.step)
  }

  @Test mutating func `an edit that neither stands nor was followed nor is in the trash`() {
    note(1, 0, "summary", "First")
    note(2, 1, "summary", "Second")
    #expect(lost(["summary": "Second"]) == [])
    #expect(lost(["summary": "First"]) == [2])
    #expect(lost(["summary": "First"], trash: "SUMMARY:Second") == [])
    #expect(lost(["summary": "Other"], trash: "SUMMARY:Second") == [1])
  }

  @Test mutating func `an edit of an event that is gone though nobody removed it`() {
    note(1, 0, "summary", "First")
    #expect(lost([:]) == [1])
    note(2, 1, "", nil, view: ["First"])
    #expect(lost([:]) == [])
  }

  @Test mutating func `an edit after the removal`() {
    note(1, 0, "", nil)
    note(2, 1, "summary", "Second")
    #expect(lost([:]) == [2])
    #expect(lost(["": "", "summary": "Second"]) == [])
  }

  @Test mutating func `a removal that came undone without an edit that it did not know`() {
    note(1, 1, "summary", "First")
    note(2, 0, "", nil, view: ["First"])
    #expect(lost(["": "", "summary": "First"]) == [2])
  }

  @Test mutating func `no removal of an event whose other computer had no answer`() {
    note(1, 1, "summary", "First")
    note(2, 0, "", nil, view: ["First"], waiting: [1])
    #expect(lost(["": "", "summary": "First"]) == [])
  }

  @Test mutating func `no removed occurrence of an event that went whole and came back`() {
    note(1, 0, "", nil, occurrence: "mon", view: ["mon", "tue"])
    note(2, 0, "", nil, view: ["tue"])
    #expect(lost(["": "", "mon": ""]) == [1, 2])
    note(3, 1, "summary", "Third", occurrence: "tue")
    #expect(lost(["": "", "mon": "", "tuesummary": "Third"]) == [])
  }

  @Test mutating func `a removed occurrence that is back with an edit of another one`() {
    note(1, 0, "", nil, occurrence: "mon")
    note(2, 1, "summary", "Second", occurrence: "tue")
    #expect(lost(["mon": "", "tuesummary": "Second"]) == [1])
    note(3, 1, "summary", "Third", occurrence: "mon")
    #expect(lost(["mon": "", "tuesummary": "Second", "monsummary": "Third"]) == [])
  }
}
