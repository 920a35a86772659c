/// Recognises compressed and binary files by their first bytes; calendars in them are not read.
package enum PackedFile {
  private static let kinds: [(octets: [UInt8], remark: String)] = [
    (
      [0x50, 0x4B, 0x03, 0x04],
      "it is a ZIP archive: unpack it, as Google's export, and import the files in it (a workbook of a "
        + "spreadsheet is saved as CSV instead)"
    ),
    ([0x1F, 0x8B], "it is packed with gzip: unpack it first (gunzip)"),
    ([0x42, 0x5A, 0x68], "it is packed with bzip2: unpack it first (bunzip2)"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "it is packed with xz: unpack it first (unxz)"),
    ([0x28, 0xB5, 0x2F, 0xFD], "it is packed with zstd: unpack it first (unzstd)"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "it is a 7z archive: unpack it first"),
    (
      [0xD0, 0xCF, 0x11, 0xE0],
      "it is a workbook or another document of Microsoft Office: save it as CSV"
    ),
    ([0xFF, 0xFE, 0x00, 0x00], utf32),
    ([0x00, 0x00, 0xFE, 0xFF], utf32),
    (
      [0x21, 0x42, 0x44, 0x4E],
      "it is a data file of Outlook: have Outlook export its calendar as CSV or iCalendar"
    ),
  ]

  private static let utf32 =
    "it is text in UTF-32, which is not read: put it into UTF-8 first (iconv -f UTF-32 -t UTF-8)"

  /// Returns what kind of file this is and what to do with it; nil for any other file.
  package static func remark(on octets: some Collection<UInt8>) -> String? {
    kinds.first { octets.starts(with: $0.octets) }?.remark
  }
}
