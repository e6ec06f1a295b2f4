"""What is derived and kept in rows: found where it is not as it should be, and made again. Nothing verbatim is removed.

Each file has a `find`, which only reads, and a `mend`.
"""
