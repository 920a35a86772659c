import Testing

@testable import Widgets

@Suite struct `Descriptions in HTML` {
  @Test(
    arguments: [
      ("<p>Hi,<br>see you</p>", "Hi,\nsee you"),
      ("<html-blob>One<br/>Two</html-blob>", "One\nTwo"),
      ("<a href=\"https://a.example/x\">the plan</a>", "the plan (https://a.example/x)"),
      ("<a href='https://a.example'>https://a.example</a>", "https://a.example"),
      ("<ul><li>tea</li><li>milk</li></ul>", "- tea\n- milk"),
      ("<b>A &amp; B</b> &lt;b&gt; &#8364;&nbsp;5 &#x41; &unknown;", "A & B <b> € 5 A &unknown;"),
      ("<style>p { color: red }</style><P CLASS=x>Red</P>", "Red"),
      ("<div>a</div><div><br></div><div><br></div><div>b</div>", "a\n\nb"),
    ])
  func `they become text`(html: String, text: String) {
    #expect(textWithoutHTML(html) == text)
  }

  @Test(
    arguments: [
      "plain text\n\n\nwith lines", "1 < 2 and 3 > 2", "<ana@example.org> writes", "&amp; stays",
      "<https://example.org>", "",
    ])
  func `other text stays as it is`(text: String) {
    #expect(textWithoutHTML(text) == text)
  }
}
