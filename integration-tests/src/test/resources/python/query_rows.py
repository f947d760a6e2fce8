"""Runs each statement of a file of SQL in DuckDB, and prints the result of each SELECT as a line of JSON: a list of objects."""

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
        print(json.dumps([dict(zip(names, row)) for row in cursor.fetchall()], default=str))
