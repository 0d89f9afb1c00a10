"""The codes of lint: what each problem is called, how severe it is, why it matters and what to do."""
