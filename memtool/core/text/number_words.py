"""Number words: what numbers from 1 to 99 are called, in six languages."""

from __future__ import annotations

from memtool.core.text.folding import search_fold

NUMERALS = {
    "en": (
        (
            "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
            " sixteen seventeen eighteen nineteen"
        ),
        "twenty thirty forty fifty sixty seventy eighty ninety",
    ),
    "de": (
        (
            "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"
            " sechzehn siebzehn achtzehn neunzehn"
        ),
        "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    ),
    "es": (
        (
            "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
            " dieciséis diecisiete dieciocho diecinueve"
        ),
        "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    ),
    "fr": (
        (
            "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
            " dix-sept dix-huit dix-neuf"
        ),
        "vingt trente quarante cinquante soixante - quatre-vingt -",
    ),
    "pt": ("um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze", ""),
    "ru": ("один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать", ""),
}
"""The numbers from 1 to at most 19, and the tens from 20 to 90, of each language."""
NUMBER_WORDS = (*NUMERALS["en"][0].split(),)
"""The English numbers from 1 to 19."""
_OTHERS = [ones.partition(" ")[2] for language, (ones, _) in NUMERALS.items() if language != "en"]
OTHER_NUMBERS = frozenset(search_fold(" ".join([*_OTHERS, "duas две"])).split())
"""The numbers from 2 on of the other languages, folded; in most of them the word for 1 is an article, too."""
ENGLISH_TENS = NUMERALS["en"][1].split()
TENS = frozenset(search_fold(" ".join(tens for _, tens in NUMERALS.values())).split()) - {"-"}
"""The tens of all languages, folded."""
