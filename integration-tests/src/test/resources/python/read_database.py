"""Prints counts and sums of an exported database, one per line."""

import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
for query in (
    "SELECT count(*) FROM events",
    "SELECT count(*) FROM samples WHERE completed_ns IS NOT NULL",
    "SELECT coalesce(sum(latency_ns), 0) FROM samples",
    "SELECT coalesce(sum(isl), 0) FROM samples",
    "SELECT coalesce(sum(osl), 0) FROM samples",
    "SELECT value FROM run WHERE name = 'streaming'",
):
    print(database.execute(query).fetchone()[0])
