import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import Widgets

/// The pictures as other programs draw them.
@Suite struct `A month on a screen` {
  /// The colours of a PNG file of eight bits a channel, by how many pixels they have.
  private static let colors = """
    import collections, struct, sys, zlib
    data = open(sys.argv[1], "rb").read()
    assert data[:8] == b"\\x89PNG\\r\\n\\x1a\\n"
    place, body = 8, b""
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[place + 8:place + 18])
        if kind == b"IDAT": body += data[place + 8:place + 8 + length]
        place += 12 + length
    assert depth == 8
    size = {2: 3, 6: 4}[color]
    raw, stride, above = zlib.decompress(body), width * size, bytes(width * size)
    count = collections.Counter()
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            a = row[i - size] if i >= size else 0
            b, c = above[i], above[i - size] if i >= size else 0
            if kind == 1: add = a
            elif kind == 2: add = b
            elif kind == 3: add = (a + b) // 2
            else:
                p = a + b - c
                add = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[i] = (row[i] + add) & 255
        above = bytes(row)
        count.update(above[i:i + 3].hex() for i in range(0, stride, size))
    for color, number in count.most_common(): print("#" + color, number)
    """

  private static func colors(of path: String) throws -> [String: Int] {
    let outcome = try Subprocess.run("python3", ["-c", colors, path])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    var count: [String: Int] = [:]
    for line in outcome.output.split(separator: "\n") {
      let words = line.split(separator: " ")
      count[String(words[0])] = Int(words[1])
    }
    return count
  }

  private static func picture(_ settings: MonthPicture.Settings) throws -> MonthPicture {
    var agenda = Agenda()
    try agenda.add("Journey", from: "2026-11-10", to: "2026-11-14")
    try agenda.add("Talk", "2026-11-18T13:00", "2026-11-18T14:00")
    for (index, title) in hostileTitles.enumerated() {
      try agenda.add(
        title, from: "2026-11-2\(index % 5)", to: "2026-11-2\(index % 5 + 2)", calendar: "work")
    }
    return try `A month as a picture`.picture(agenda, "2026-11-21", mode: .expanded, settings)
  }

  private static let schemes = ColorScheme.allCases

  @Test(
    .longProof,
    .enabled(if: InstalledProgram.isExpected("rsvg-convert"), "librsvg2-bin is missing"),
    arguments: schemes)
  func `rsvg-convert draws the sheet with its bars, whatever titles say`(
    _ scheme: ColorScheme
  ) throws {
    let folder = try TemporaryDirectory()
    try folder.write(try Self.picture(.init(scheme: scheme)).svg, to: "month.svg")
    let outcome = try Subprocess.run(
      "rsvg-convert",
      ["--width", "800", "--output", folder.file("month.png"), folder.file("month.svg")])
    #expect(outcome.status == .exited(0) && outcome.errors.isEmpty, "\(outcome.errors)")
    try Self.check(try Self.colors(of: folder.file("month.png")), scheme)
  }

  @Test(
    .longProof, .enabled(if: InstalledProgram.isExpected("chromium"), "chromium is missing"),
    arguments: schemes
  )
  func `a browser draws the page with its bars, whatever titles say`(
    _ scheme: ColorScheme
  ) throws {
    let folder = try TemporaryDirectory()
    try folder.write(try Self.picture(.init(scheme: scheme)).html, to: "month.html")
    let outcome = try Subprocess.run(
      "chromium",
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-extensions",
        "--user-data-dir=" + folder.file("profile"), "--window-size=800,700",
        "--screenshot=" + folder.file("month.png"), "file://" + folder.file("month.html"),
      ], environment: ["HOME": folder.path, "DBUS_SESSION_BUS_ADDRESS": "disabled:"])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    try Self.check(try Self.colors(of: folder.file("month.png")), scheme)
  }

  /// Ground, bars and the mark of today have their colours, and no other one covers much.
  private static func check(_ colors: [String: Int], _ scheme: ColorScheme) throws {
    let theme = Theme.of(scheme)
    let all = colors.values.reduce(0, +)
    let grounds = [theme.background, theme.surface].map { colors[$0.text] ?? 0 }
    #expect(grounds.allSatisfy { $0 > all / 20 }, "\(grounds) of \(all)")
    #expect(colors[EventColor.palette[1].bar.ground.text] ?? 0 > all / 500)
    #expect(colors[EventColor.palette[0].bar.ground.text] ?? 0 > all / 500)
    #expect(colors[theme.accent.text] ?? 0 > 100)
    #expect(colors.count > 50, "there is no text")
  }
}
