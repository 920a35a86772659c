import Sync
import TestSupport
import Testing

/// The same with each server: what they answer differs nearly everywhere.
@Suite struct `CalDAV with real servers` {
  /// A calendar of this test's own on a server.
  private struct Desk {
    let session: RecordedSession
    let calendar: RemoteCollection

    init(_ kind: CalendarServer.Kind, _ name: String) throws {
      session = RecordedSession(url: try CalendarServer.shared(kind).url)
      let answers = session.ask(.createCollection(name: name, color: "#aa5500"))
      guard case .collection(let calendar)? = answers.first else {
        throw TestSupportError("no calendar: \(answers)")
      }
      self.calendar = calendar
    }

    func changes(_ token: String = "") -> [RemoteAnswer] {
      session.ask(.changes(collection: calendar.href, token: token))
    }

    func put(_ name: String, _ text: String, match: String? = nil) -> [RemoteAnswer] {
      session.ask(
        .put(collection: calendar.href, href: calendar.href + name, text: text, match: match))
    }

    func delete(_ name: String, match: String) -> RemoteFailure? {
      session.failure(
        .delete(collection: calendar.href, href: calendar.href + name, match: match))
    }

    /// Writes a new item and returns its ETag.
    func create(_ name: String, _ uid: String) throws -> String {
      let answers = put(name, Sample.event(uid))
      guard case .item(_, let etag, _, _)? = answers.first else {
        throw TestSupportError("not written: \(answers)")
      }
      return etag
    }
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `a calendar that was created is found again, with its name`(_ kind: CalendarServer.Kind)
    throws
  {
    let desk = try Desk(kind, "Family trips")
    let found = desk.session.collections()
    let own = try #require(found.first { $0.href == desk.calendar.href }, "\(found)")
    #expect(own.name == "Family trips")
    #expect(own.isWritable)
    #expect(own.components.isEmpty || own.components.contains("VEVENT"))
    // The older Xandikos does not keep it.
    #expect(own.color == (kind == .olderXandikos ? "" : "#aa5500"))
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `a second calendar of a name gets a path of its own`(_ kind: CalendarServer.Kind) throws {
    let first = try Desk(kind, "Twice")
    let second = try Desk(kind, "Twice")
    #expect(first.calendar.href != second.calendar.href)
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `the address of a calendar is enough`(_ kind: CalendarServer.Kind) throws {
    let desk = try Desk(kind, "Given")
    let url = try CalendarServer.shared(kind).url.dropLast() + desk.calendar.href
    let found = RecordedSession(url: String(url)).collections().map(\.href)
    #expect(found.contains(desk.calendar.href))
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `a new item is listed, and read back with the ETag that the listing has`(
    _ kind: CalendarServer.Kind
  ) throws {
    let desk = try Desk(kind, "New")
    let first = desk.changes()
    #expect(first.listing?.isFull == true)
    #expect(first.etags == [:])
    let written = desk.put("a.ics", Sample.event("a"))
    #expect(written.listing == nil && written.failure == nil)
    #expect(written.texts[desk.calendar.href + "a.ics"]?.contains("SUMMARY:Tea") == true)
    #expect(desk.changes().etags == written.etags)
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `a name with an at sign and a space is the same item everywhere`(
    _ kind: CalendarServer.Kind
  ) throws {
    let desk = try Desk(kind, "Names")
    let written = desk.put("a%40b%20c.ics", Sample.event("a@b c"))
    #expect(written.etags.keys.sorted() == [desk.calendar.href + "a%40b%20c.ics"], "\(written)")
    #expect(desk.changes().etags == written.etags)
    let hrefs = Array(written.etags.keys)
    let fetched = desk.session.ask(.fetch(collection: desk.calendar.href, hrefs: hrefs))
    #expect(fetched.etags == written.etags)
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `changes since a token are an edit, a new item and a deletion`(
    _ kind: CalendarServer.Kind
  ) throws {
    let desk = try Desk(kind, "Delta")
    let edited = try desk.create("edited.ics", "edited")
    let deleted = try desk.create("deleted.ics", "deleted")
    _ = try desk.create("same.ics", "same")
    let before = desk.changes()
    #expect(before.etags.count == 3)
    let token = try #require(before.listing?.token)
    #expect(token.hasPrefix("sync:"))

    let edit = desk.put("edited.ics", Sample.event("edited", "Coffee"), match: edited)
    #expect(edit.failure == nil)
    #expect(desk.delete("deleted.ics", match: deleted) == nil)
    _ = try desk.create("new.ics", "new")

    let delta = desk.changes(token)
    #expect(delta.listing?.isFull == false)
    let names = ["edited.ics", "new.ics"].map { desk.calendar.href + $0 }
    #expect(delta.etags.keys.sorted() == names)
    #expect(delta.gone == [desk.calendar.href + "deleted.ics"])
    let settled = desk.changes(try #require(delta.listing?.token))
    #expect(settled.count == 1, "\(settled)")
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `items are fetched as they were listed, and what is missing is gone`(
    _ kind: CalendarServer.Kind
  ) throws {
    let desk = try Desk(kind, "Many")
    for number in 1...3 { _ = try desk.create("\(number).ics", "uid-\(number)") }
    let hrefs = (0...3).map { "\(desk.calendar.href)\($0).ics" }
    let answers = desk.session.ask(.fetch(collection: desk.calendar.href, hrefs: hrefs))
    #expect(answers.texts.count == 3)
    #expect(answers.gone == [desk.calendar.href + "0.ics"])
    #expect(answers.etags == desk.changes().etags)
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `an edit of an older version is a conflict`(_ kind: CalendarServer.Kind) throws {
    let desk = try Desk(kind, "Stale")
    let old = try desk.create("a.ics", "a")
    let new = desk.put("a.ics", Sample.event("a", "Coffee"), match: old)
    #expect(new.failure == nil)
    let late = desk.put("a.ics", Sample.event("a", "Water"), match: old)
    #expect(late.failure?.kind == .conflict)
    #expect(desk.delete("a.ics", match: old)?.kind == .conflict)
    #expect(desk.changes().etags == new.etags)
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `a new item does not replace one that is there`(_ kind: CalendarServer.Kind) throws {
    let desk = try Desk(kind, "There")
    let etag = try desk.create("a.ics", "a")
    #expect(desk.put("a.ics", Sample.event("a", "Water")).failure?.kind == .conflict)
    #expect(desk.changes().etags == [desk.calendar.href + "a.ics": etag])
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `an edit of a deleted item says that it is gone, and deleting it again is done`(
    _ kind: CalendarServer.Kind
  ) throws {
    let desk = try Desk(kind, "Gone")
    let etag = try desk.create("a.ics", "a")
    #expect(desk.delete("a.ics", match: etag) == nil)
    #expect(desk.delete("a.ics", match: etag) == nil)
    let late = desk.put("a.ics", Sample.event("a", "Water"), match: etag)
    #expect(late.failure?.kind == .gone)
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `the same UID at another path is refused, with the path that has it`(
    _ kind: CalendarServer.Kind
  ) throws {
    let desk = try Desk(kind, "Same")
    _ = try desk.create("a.ics", "a")
    let failure = desk.put("b.ics", Sample.event("a", "Water")).failure
    #expect(failure == RemoteFailure(.sameUID, desk.calendar.href + "a.ics"))
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `what is no calendar is refused`(_ kind: CalendarServer.Kind) throws {
    let desk = try Desk(kind, "Garbage")
    #expect(desk.put("a.ics", "no calendar").failure?.kind == .refused)
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `the collection itself is never written to`(_ kind: CalendarServer.Kind) throws {
    let desk = try Desk(kind, "Itself")
    _ = try desk.create("a.ics", "a")
    for name in ["", "../", "sub/", "%2e%2e/x.ics"] {
      #expect(desk.put(name, Sample.event("b")).failure?.kind == .refused)
    }
    #expect(desk.changes().etags.count == 1)
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `a calendar that is not there takes no items`(_ kind: CalendarServer.Kind) throws {
    let desk = try Desk(kind, "Home")
    let other = desk.calendar.href.dropLast() + "-missing/"
    let put = RemoteRequest.put(
      collection: String(other), href: other + "a.ics", text: Sample.event("a"), match: nil)
    #expect(desk.session.failure(put)?.kind == .gone)
    let list = RemoteRequest.changes(collection: String(other), token: "")
    #expect(desk.session.failure(list)?.kind == .gone)
  }

  @Test(arguments: CalendarServer.Kind.available)
  func `an unknown token leads to a full listing`(_ kind: CalendarServer.Kind) throws {
    let desk = try Desk(kind, "Token")
    let etag = try desk.create("a.ics", "a")
    for token in ["sync:unknown", "tag:unknown"] {
      let answers = desk.changes(token)
      #expect(answers.listing?.isFull == true, "\(answers)")
      #expect(answers.etags == [desk.calendar.href + "a.ics": etag])
      let next = desk.changes(try #require(answers.listing?.token))
      #expect(next.count == 1 && next.listing?.isFull == false, "\(next)")
    }
  }

  @Test(arguments: CalendarServer.Kind.available.filter(\.isRadicale))
  func `a wrong password is refused`(_ kind: CalendarServer.Kind) throws {
    let url = try CalendarServer.shared(kind).url
    let session = RecordedSession(url: url, secret: "wrong")
    #expect(session.failure(.discover)?.kind == .signIn)
  }

  /// The answer that made other programs delete everything: a valid, empty listing.
  @Test(arguments: CalendarServer.Kind.available.filter { !$0.isRadicale })
  func `a server that lost its folder lists nothing, and says that this is all`(
    _ kind: CalendarServer.Kind
  ) throws {
    let desk = try Desk(kind, "Lost")
    let token = try #require(desk.changes().listing?.token)
    let server = try CalendarServer(kind)
    let empty = RecordedSession(url: server.url)
    let calendar = try #require(empty.collections().first)
    let answers = empty.ask(.changes(collection: calendar.href, token: token))
    withExtendedLifetime(server) {}
    #expect(answers.count == 1)
    #expect(answers.listing?.isFull == true)
  }
}
