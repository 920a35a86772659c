import CalendarModel
import CivilTime
import Testing

@Suite struct `Meeting links` {
  private func link(url: String = "", location: String = "", description: String = "") -> String {
    var event = Event(uid: EventUID("a"), start: .utc(Timestamp(seconds: 0)))
    event.url = url
    event.location = location
    event.description = description
    return event.joinURL
  }

  @Test(arguments: [
    "https://meet.google.com/abc-defg-hij", "https://zoom.us/j/123456",
    "https://us02web.zoom.us/j/123456?pwd=x.1", "https://meet.jit.si/Room",
    "https://teams.microsoft.com/l/meetup-join/19%3ameeting", "https://whereby.com/ana",
    "https://teams.live.com/meet/95", "https://8x8.vc/ana/room", "https://ana.webex.com/meet/ana",
    "https://meet.goto.com/123", "https://global.gotomeeting.com/join/123",
    "https://bluejeans.com/123", "https://chime.aws/123", "https://join.skype.com/abc",
    "https://facetime.apple.com/join#v=1&p=x", "https://app.slack.com/huddle/T1/C1",
    "https://v.ringcentral.com/join/123", "https://app.gather.town/app/x/office",
    "https://meet.zoho.com/abc", "https://meeting.tencent.com/dm/abc", "https://vc.feishu.cn/j/123",
    "https://call.lifesizecloud.com/123", "https://doxy.me/ana",
    "https://kmeet.infomaniak.com/room", "https://agency.zoomgov.com/j/1601234567",
    "https://meet.around.co/r/ana", "https://gotomeet.me/ana",
    "https://meet.lync.com/example/ana/1AB2",
    "https://voovmeeting.com/dm/abc", "https://vc.larksuite.com/j/123",
    "https://riverside.fm/studio/ana", "https://streamyard.com/abc",
    "https://meetings.ringcentral.com/j/123", "https://zoom.us/my/ana",
    "https://zoom.us/wc/join/123", "https://app.zoom.us/wc/123/join",
    "https://teams.cloud.microsoft/meet/95", "https://app.goto.com/meeting/123",
    "https://acme.slack.com/huddle/T1/C1", "https://acme.zoom.com/j/91234567890?pwd=cY79",
    "https://zoom.com/my/ana", "https://app.zoom.com/wc/123/join",
  ])
  func `an address of a known service is found in each field`(_ address: String) {
    #expect(link(url: address) == address)
    #expect(link(location: "Room 5 or \(address)") == address)
    #expect(link(description: "Join:\n<\(address)>\nBye") == address)
  }

  @Test func `an address in HTML is as a browser reads it`() {
    let html = #"<a href="https://zoom.us/j/1?pwd=a&amp;b=1&amp;c">here</a>;"#
    #expect(link(description: html) == "https://zoom.us/j/1?pwd=a&b=1&c")
    #expect(link(description: "https://zoom.us/j/1?a=amp;b") == "https://zoom.us/j/1?a=amp")
    let other = "https://example.org/go?a=1&amp;b=2&amp;c=3&amp;d=4&amp;u=https://zoom.us/j/1"
    #expect(link(description: other) == "")
  }

  @Test func `the address behind a Safe Link of Outlook is the one to join`() {
    let teams = "https://teams.microsoft.com/l/meetup-join/19%3ameeting_zz/0"
    let invitation =
      "Join<https://eur01.safelinks.protection.outlook.com/ap/t-59584e83/?url=https%3A%2F%2Fteams"
      + ".microsoft.com%2Fl%2Fmeetup-join%2F19%253ameeting_zz%2F0&data=05%7C02&reserved=0>"
    #expect(link(description: invitation) == teams)
    let zoom =
      "https://nam12.safelinks.protection.outlook.com/?data=05&amp;url=https%3A%2F%2Fus02web.zoom"
      + ".us%2Fj%2F8512345678%3Fpwd%3DabC#x"
    #expect(link(location: zoom) == "https://us02web.zoom.us/j/8512345678?pwd=abC")
    #expect(link(url: zoom, description: teams) == "https://us02web.zoom.us/j/8512345678?pwd=abC")
  }

  @Test(arguments: [
    // No https, no service, another address or a word before it, no query, and a Safe Link in one.
    "http%3A%2F%2Fzoom.us%2Fj%2F1", "https%3A%2F%2Fexample.org%2Fj%2F1",
    "https%3A%2F%2Fevil.example%20https%3A%2F%2Fzoom.us%2Fj%2F1",
    "x%20https%3A%2F%2Fzoom.us%2Fj%2F1", "https%3A%2F%2Fzoom.us@evil.example%2Fj%2F1", "%", "",
    "https://a.safelinks.protection.outlook.com/?url=https%3A%2F%2Fzoom.us%2Fj%2F1",
  ])
  func `a Safe Link to anything else is none`(_ address: String) {
    let text = "https://eur01.safelinks.protection.outlook.com/?url=" + address
    #expect(link(url: text, description: text) == "")
  }

  @Test(arguments: [
    "eur01.safelinks.protection.outlook.com.evil.example/?",
    "evil-safelinks.protection.outlook.com/?",
    "eur01.safelinks.protection.outlook.com/#?", "x@a.safelinks.protection.outlook.com/?",
  ])
  func `what only looks like a Safe Link is none`(_ beginning: String) {
    let text = "https://\(beginning)url=https%3A%2F%2Fzoom.us%2Fj%2F1"
    #expect(link(url: text, description: text) == "")
  }

  @Test func `capitals of the scheme and the host do not matter`() {
    #expect(link(url: "HTTPS://ZOOM.US/j/1?pwd=AbC") == "https://ZOOM.US/j/1?pwd=AbC")
    #expect(link(location: "Https://Meet.Google.com/abc") == "https://Meet.Google.com/abc")
  }

  @Test func `the URL goes before the location, and that before the description`() {
    #expect(
      link(url: "https://meet.jit.si/a", location: "https://meet.jit.si/b")
        == "https://meet.jit.si/a")
    #expect(
      link(
        url: "https://example.org/", location: "https://meet.jit.si/b",
        description: "https://meet.jit.si/c") == "https://meet.jit.si/b")
  }

  @Test(arguments: [
    "", "https://", "https://example.org/j/1", "http://meet.jit.si/a",
    "https://meet.jit.si.evil.example/a", "https://evilzoom.us/j/1", "https://zoom.us/pricing",
    "https://riverside.fm/pricing", "https://app.slack.com/client/T1",
    "https://example.org/?u=meet.jit.si/a", "javascript:alert(1)",
    "https://evil.example#.zoom.us/j/1", "https://evil.example?.zoom.us/j/1",
    "https://evil.example#@zoom.us/j/1", "https://evil.example:443#.meet.jit.si/a",
    "https://evil.example%2f.zoom.us/j/1", "https://evil.example@us02web.zoom.us/j/1",
  ])
  func `other addresses are not`(_ text: String) {
    #expect(link(url: text, description: text) == "")
  }

  @Test func `an address that another one hides behind its user part is not`() {
    #expect(link(url: "https://meet.jit.si@evil.example/a") == "")
  }

  @Test func `the address of CONFERENCE goes before all, whoever serves it`() {
    var event = Event(uid: EventUID("a"), start: .utc(Timestamp(seconds: 0)))
    event.url = "https://meet.jit.si/a"
    event.conference = "https://example.org/room/7"
    #expect(event.joinURL == "https://example.org/room/7")
  }

  @Test func `the second address counts when the first is of no service`() {
    #expect(
      link(description: "https://example.org/agenda https://meet.jit.si/a")
        == "https://meet.jit.si/a")
  }

  @Test func `what ends an address in running text is left out`() {
    #expect(link(description: "(https://meet.jit.si/a), then") == "https://meet.jit.si/a")
    #expect(link(description: "\"https://meet.jit.si/a\"") == "https://meet.jit.si/a")
    #expect(link(description: "We meet at https://meet.jit.si/a.") == "https://meet.jit.si/a")
    #expect(link(description: "https://meet.jit.si/a?!") == "https://meet.jit.si/a")
    #expect(link(description: "https://meet.jit.si/a.b?c=d") == "https://meet.jit.si/a.b?c=d")
  }
}
