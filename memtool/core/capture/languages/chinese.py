from memtool.core.capture.triggers import LanguageTable
TABLE = LanguageTable((), "x", "x", "x")
