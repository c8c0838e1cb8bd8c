"""Asks a Spark cluster a question about the tables of a lake: spark.py REQUEST ANSWER, both JSON."""

import datetime
import decimal
import json
import sys

from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import SparkSession

SETTINGS = {
    # The dialect of the SQL standard, as DuckDB has it.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    # A build named 10 is text, as one named 10-rc is.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
}


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
    builder = SparkSession.builder.appName("stats query")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for name in ("runs", "metrics", "hitches"):
        spark.read.parquet(*tables[name]).createOrReplaceTempView(f"summary_{name}")
    if tables["frames"]:
        # The path is a URI, in which spaces and other characters are escaped.
        path = "url_decode(replace(_metadata.file_path, '+', '%2B'))"
        run = f"regexp_replace({path}, '^file:/+', '/')"
        begin = len(tables["lake"]) + 1
        reader = spark.read.option("mergeSchema", "true").option("basePath", tables["lake"])
        frames = reader.parquet(*tables["frames"])
        frames.selectExpr(f"substring({run}, {begin}) AS run", "*").createOrReplaceTempView("frames")
    for view in tables["views"]:
        spark.sql(view)
    result = spark.sql(request["sql"])
    rows = [[plain(cell) for cell in row] for row in result.collect()]
    return {"columns": result.columns, "rows": rows}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    try:
        answer = ask(request)
    except PySparkException as error:
        is_usage = isinstance(error, (AnalysisException, ParseException))
        answer = {"error": str(error).split("\n\n")[0], "is_usage": is_usage}
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(answer, file)


main()
