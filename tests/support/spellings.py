"""Spellings that are the same to a person, with the language of the text if it matters."""

SAME = [
    # Signs: Word, keyboards, OCR and other scripts
    *(("don't", f"don{sign}t", "") for sign in
      "\u2018\u2019\u201b\u02bc\u2032`\xb4\uff07\u02b9\u05f3"),
    *(('say "hi"', f"say {one}hi{other}", "") for one, other in
      ("\u201c\u201d", "\u201e\u201c", "\xab\xbb", "\u2033\u2033", "\uff02\uff02", "\u201e\u201d")),
    *(("well-read", f"well{sign}read", "") for sign in
      "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"),
    *(("-5", f"{sign}5", "") for sign in "\u2011\u2012\u2013\u2212\uff0d"),
    *(("dark red", f"dark{sign}red", "") for sign in
      "\xa0\u202f\u3000\u2009\u2007\u2003\u205f\t\u2028"),
    ("wait...", "wait…", ""), ("7×8", "7x8", ""), ("why?", "why？", ""), ("a:b", "a：b", ""),
    ("ça va\u202f?", "ca va?", "fr"), ("« oui »", '"oui"', "fr"), ("「hi」", '"hi"', "ja"),
    ("¿Qué?", "que?", "es"), ("مدرسة", "مدرسه", "ar"),
    # What nobody sees
    *(("Fußball", f"Fu{sign}ßball", "") for sign in
      "\xad\u200b\ufeff\u2060\u200e\u200f\u202a\u202c\u2066\u2069\u061c\u034f\u200c\u200d\ufe0f\0\x1b\x7f"),
    ("می\u200cخواهم", "میخواهم", "fa"), ("❤\ufe0f", "❤", ""), ("☀\ufe0e", "☀\ufe0f", ""),
    # Width, ligatures, composition
    ("ABC", "ＡＢＣ", ""), ("ガム", "ｶﾞﾑ", "ja"), ("find", "ﬁnd", ""), ("affe", "aﬀe", ""),
    ("é", "e\u0301", ""), ("각", "각", "ko"), ("x2", "x²", ""), ("مرحبا", "ﻣﺮﺣﺒﺎ", "ar"),
    # Case by language
    ("straße", "STRASSE", "de"), ("ışık", "IŞIK", "tr"), ("istanbul", "İSTANBUL", "tr"),
    ("ısı", "ISI", "az"), ("İzmir", "izmir", ""), ("οδός", "ΟΔΟΣ", "el"), ("ǆ", "Ǆ", ""),
    # Accents, and letters that keyboards lack
    ("šťáva", "stava", "cs"), ("łódź", "lodz", "pl"), ("smørrebrød", "smorrebrod", "da"),
    ("smørrebrød", "smoerrebroed", "da"), ("påske", "paaske", "nb"), ("æble", "aeble", "da"),
    ("œuf", "oeuf", "fr"), ("þorn", "thorn", ""), ("ðað", "dad", ""), ("đak", "dak", ""),
    ("ħobża", "hobza", ""), ("ağaç", "agac", "tr"), ("ışık", "isik", "tr"), ("grün", "gruen", "de"),
    ("größe", "groesse", "de"), ("őr", "or", "hu"), ("ёлка", "елка", "ru"), ("Ñu", "nu", "es"),
    ("θάλασσα", "θαλασσα", "el"), ("ἄνθρωπος", "ανθρωπος", "el"), ("việt", "viet", ""),
    # Signs of vowels, and letters of two forms
    ("كَتَبَ", "كتب", "ar"), ("كـتـاب", "كتاب", "ar"), ("مُدَرِّس", "مدرس", "ar"), ("أحمد", "احمد", "ar"),
    ("کتاب", "كتاب", "fa"), ("שָׁלוֹם", "שלום", "he"), ("אָלֶף", "אלף", "he"),
    ("അവൻ", "അവന്\u200d", "ml"),
    # Numbers
    ("0,5", "0.5", ""), ("٣٫٥", "3.5", "ar"), ("३", "3", "hi"), ("۴۵", "45", "fa"),
    ("১২", "12", "bn"),
]  # fmt: skip
APART = [
    ("dog", "dogs"), ("мой", "мои"), ("їжа", "іжа"), ("か", "が"), ("あ", "ア"), ("कि", "की"),
    ("1.5", "15"), ("a b", "ab"), ("don't", "dont"), ("-5", "5"), ("а", "a"), ("👍🏻", "👍🏿"),
    ("🇩🇪", "🇫🇷"), ("١", "٢"), ("ب", "ت"), ("ש", "ס"),
    ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
     "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"),
]  # fmt: skip
"""Spellings of different words."""
