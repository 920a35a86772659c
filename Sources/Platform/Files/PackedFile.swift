import Messages

/// Recognises compressed and binary files by their first bytes; calendars in them are not read.
package enum PackedFile {
  private static let kinds: [(octets: [UInt8], remark: UserText)] = [
    (
      [0x50, 0x4B, 0x03, 0x04],
      UserText(
        """
        it is a ZIP archive: unpack it and import the files in it; save a spreadsheet as CSV instead
        """)
    ),
    ([0x1F, 0x8B], UserText("it is compressed with gzip: decompress it first (gunzip)")),
    ([0x42, 0x5A, 0x68], UserText("it is compressed with bzip2: decompress it first (bunzip2)")),
    (
      [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
      UserText("it is compressed with xz: decompress it first (unxz)")
    ),
    (
      [0x28, 0xB5, 0x2F, 0xFD],
      UserText("it is compressed with zstd: decompress it first (unzstd)")
    ),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], UserText("it is a 7z archive: unpack it first")),
    (
      [0xD0, 0xCF, 0x11, 0xE0],
      UserText("it is a workbook or another document of Microsoft Office: save it as CSV")
    ),
    ([0xFF, 0xFE, 0x00, 0x00], utf32),
    ([0x00, 0x00, 0xFE, 0xFF], utf32),
    (
      [0x21, 0x42, 0x44, 0x4E],
      UserText("it is a data file of Outlook: have Outlook export its calendar as CSV or iCalendar")
    ),
  ]

  private static let utf32 =
    UserText("it is text in UTF-32: convert it to UTF-8 first (iconv -f UTF-32 -t UTF-8)")

  /// Returns what kind of file this is and what to do with it; nil for any other file.
  package static func remark(on octets: some Collection<UInt8>) -> String? {
    kinds.first { octets.starts(with: $0.octets) }.map { localized($0.remark) }
  }
}
