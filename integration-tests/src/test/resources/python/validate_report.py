"""Checks a JSON report against the published schema: validate_report.py SCHEMA REPORT"""

import json
import sys

import jsonschema

with open(sys.argv[1]) as schema, open(sys.argv[2]) as report:
    jsonschema.validate(json.load(report), json.load(schema), cls=jsonschema.Draft202012Validator)
print("valid")
