"""Parsers and editors of the syntaxes that formats use: JSON, YAML frontmatter, Markdown lines."""
