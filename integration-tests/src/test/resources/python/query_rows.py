"""Runs each statement of a file of SQL in DuckDB, and prints the rows of each query as a line of JSON."""

import json
import sys

import duckdb

connection = duckdb.connect()
with open(sys.argv[1], encoding="utf-8") as file:
    statements = [each for each in file.read().split(";\n") if each.strip()]
for statement in statements:
    cursor = connection.execute(statement)
    if statement.lstrip().startswith(("SELECT", "WITH", "DESCRIBE")):
        names = [column[0] for column in cursor.description]
        print(json.dumps({"rows": [dict(zip(names, row)) for row in cursor.fetchall()]}, default=str))
