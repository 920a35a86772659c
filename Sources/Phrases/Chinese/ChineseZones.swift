extension Lexicon {
  /// Zones by a place: 北京时间.
  mutating func addChineseZones() {
    for (places, zone) in [
      ("北京|中国|中國|上海", "Asia/Shanghai"), ("香港", "Asia/Hong_Kong"),
      ("台北|臺北|台湾|臺灣|台灣", "Asia/Taipei"), ("东京|東京|日本", "Asia/Tokyo"),
      ("首尔|首爾|韩国|韓國", "Asia/Seoul"), ("新加坡", "Asia/Singapore"), ("曼谷|泰国|泰國", "Asia/Bangkok"),
      ("迪拜|杜拜", "Asia/Dubai"), ("印度|新德里|孟买", "Asia/Kolkata"), ("悉尼|雪梨", "Australia/Sydney"),
      ("伦敦|倫敦|英国|英國", "Europe/London"), ("巴黎|法国|法國", "Europe/Paris"),
      ("柏林|德国|德國|慕尼黑|法兰克福|欧洲中部", "Europe/Berlin"), ("莫斯科", "Europe/Moscow"),
      ("纽约|紐約|美东|美東|美国东部|美國東部|华盛顿|華盛頓|波士顿|波士頓", "America/New_York"),
      ("芝加哥|美中|美国中部|美國中部", "America/Chicago"),
      (
        "洛杉矶|洛杉磯|美西|美国西部|美國西部|旧金山|舊金山|西雅图|西雅圖|硅谷|矽谷|太平洋|加州", "America/Los_Angeles"
      ),
      ("多伦多|多倫多", "America/Toronto"), ("温哥华|溫哥華", "America/Vancouver"),
      ("罗马|羅馬|意大利|義大利|米兰|米蘭", "Europe/Rome"), ("马德里|馬德里|巴塞罗那|西班牙", "Europe/Madrid"),
      ("里斯本|葡萄牙", "Europe/Lisbon"), ("阿姆斯特丹|荷兰|荷蘭", "Europe/Amsterdam"),
      ("苏黎世|蘇黎世|瑞士|日内瓦", "Europe/Zurich"), ("维也纳|維也納|奥地利", "Europe/Vienna"),
      ("斯德哥尔摩|瑞典", "Europe/Stockholm"), ("都柏林|爱尔兰", "Europe/Dublin"),
      ("伊斯坦布尔|土耳其", "Europe/Istanbul"), ("开罗|埃及", "Africa/Cairo"),
      ("马尼拉|馬尼拉|菲律宾|菲律賓", "Asia/Manila"), ("吉隆坡|马来西亚|馬來西亞", "Asia/Kuala_Lumpur"),
      ("胡志明|河内|河內|越南", "Asia/Ho_Chi_Minh"), ("墨尔本|墨爾本", "Australia/Melbourne"),
      ("奥克兰|新西兰|新西蘭", "Pacific/Auckland"), ("夏威夷", "Pacific/Honolulu"),
      ("格林尼治|格林威治|世界", "UTC"),
    ] {
      for place in places.split(separator: "|") {
        for word in ["时间", "時間"] { add(place + word, .zone, .text(zone), common: false) }
      }
    }
    // Of several zones, or of one that the line does not say.
    for place in [
      "当地", "當地", "本地", "目的地", "美国", "美國", "加拿大", "澳大利亚", "澳洲", "俄罗斯", "俄羅斯", "巴西", "墨西哥", "欧洲",
      "歐洲",
      "夏令", "冬令", "东部", "東部", "中部", "西部", "山地",
    ] {
      for word in ["时间", "時間"] { add(place + word, .only, common: false) }
    }
  }
}
