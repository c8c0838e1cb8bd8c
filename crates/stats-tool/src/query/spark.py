"""Asks a Spark cluster a question about the tables of a lake: spark.py REQUEST ANSWER, both JSON."""

import datetime
import decimal
import json
import re
import sys
import time

from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.types import DoubleType, LongType, StructField, StructType

SETTINGS = {
    # The dialect of the SQL standard, which DuckDB also follows.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    # A build named 10 is text, like one named 10-rc.
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


def literal(files):
    """Escapes paths so that none is a pattern."""
    return [re.sub(r"([\[\]{}*?\\])", r"\\\1", file) for file in files]


def name(text):
    return "`" + text.replace("`", "``") + "`"


def frames_of(spark, lake, frames):
    """Returns the captures as one table. Spark cannot read an integer column as floating-point, so
    each group of files has its own schema."""
    # The path is a URI, in which spaces and other characters are escaped.
    path = "url_decode(replace(_metadata.file_path, '+', '%2B'))"
    begin = len(lake) + 1
    run = f"substring(regexp_replace({path}, '^file:/+', '/'), {begin}) AS run"
    columns = frames["columns"]
    table = None
    for group in frames["groups"]:
        whole = set(group["whole"])
        fields = [
            StructField(column, LongType() if is_whole or column in whole else DoubleType())
            for column, is_whole in columns
        ]
        reader = spark.read.schema(StructType(fields)).option("basePath", lake)
        part = reader.parquet(*literal(group["files"]))
        cells = [
            f"CAST({name(column)} AS DOUBLE)" if column in whole else name(column)
            for column in part.columns
        ]
        cells = [f"{cell} AS {name(column)}" for cell, column in zip(cells, part.columns)]
        part = part.selectExpr(run, *cells)
        table = part if table is None else table.unionByName(part)
    return table


def wait_for_worker(spark):
    """Prints a message if no worker is free, because a cluster may be busy for hours."""
    context = spark.sparkContext._jsc.sc()
    said = time.monotonic() + 10
    # This program counts as one of the executors.
    while context.getExecutorMemoryStatus().size() < 2:
        if time.monotonic() > said:
            print(
                "stats: no worker of the cluster has a free core and enough memory; waiting for one",
                flush=True,
            )
            said = float("inf")
        time.sleep(0.1)


def ask(request):
    tables = request["tables"]
    builder = SparkSession.builder.appName("stats query")
    for setting, value in SETTINGS.items():
        builder = builder.config(setting, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    wait_for_worker(spark)
    for table in ("runs", "metrics", "hitches"):
        files = literal(tables[table])
        spark.read.parquet(*files).createOrReplaceTempView(f"summary_{table}")
    if tables["frames"]:
        frames = frames_of(spark, tables["lake"], request["frames"])
        frames.createOrReplaceTempView("frames")
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
