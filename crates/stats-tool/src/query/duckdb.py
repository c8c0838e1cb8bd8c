"""Asks DuckDB a question about the tables of a lake: duckdb.py REQUEST ANSWER, both JSON."""

import datetime
import decimal
import json
import re
import sys

import duckdb


def quoted(files):
    """Returns paths as a list in SQL, escaped so that none is a pattern."""
    literal = [re.sub(r"([\[*?])", r"[\1]", file).replace("'", "''") for file in files]
    return "[" + ", ".join(f"'{file}'" for file in literal) + "]"


def plain(cell):
    if isinstance(cell, (datetime.datetime, datetime.date)):
        return cell.isoformat()
    if isinstance(cell, decimal.Decimal):
        return float(cell)
    if isinstance(cell, float) and cell - cell != 0:
        return None
    return cell if isinstance(cell, (bool, int, float, str, type(None))) else str(cell)


def ask(request):
    tables = request["tables"]
    database = duckdb.connect()
    database.execute("SET TimeZone = 'UTC'")
    for name in ("runs", "metrics", "hitches"):
        files = quoted(tables[name])
        database.execute(f"CREATE VIEW summary_{name} AS SELECT * FROM read_parquet({files})")
    if tables["frames"]:
        files = quoted(tables["frames"])
        begin = len(tables["lake"]) + 1
        database.execute(
            f"CREATE VIEW frames AS SELECT substring(filename, {begin}) AS run, * EXCLUDE (filename) "
            f"FROM read_parquet({files}, union_by_name = true, filename = true, "
            "hive_partitioning = true, hive_types_autocast = false)"
        )
    for view in tables["views"]:
        database.execute(view)
    result = database.sql(request["sql"])
    if result is None:
        return {"columns": [], "rows": []}
    # Times with a zone need another Python package, so SQL converts them to text.
    times = [str(of) == "TIMESTAMP WITH TIME ZONE" for of in result.dtypes]
    if any(times):
        names = [f"c{at}" for at in range(len(times))]
        text = "strftime({}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%g+00:00')"
        cells = [text.format(name) if time else name for name, time in zip(names, times)]
        answer = result
        shown = database.sql(f"SELECT {', '.join(cells)} FROM answer AS answer({', '.join(names)})")
    else:
        shown = result
    rows = [[plain(cell) for cell in row] for row in shown.fetchall()]
    return {"columns": result.columns, "rows": rows}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    try:
        answer = ask(request)
    except duckdb.Error as error:
        usage = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException)
        answer = {"error": str(error), "is_usage": isinstance(error, usage)}
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(answer, file)


main()
