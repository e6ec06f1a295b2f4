"""Repair of derived rows: finding those that are not as they should be, and making them anew.

Most files have a `find`, which only reads, and a `mend`. Nothing verbatim is removed.
"""
