"""Parquet and JSON Lines as pyarrow, pandas, and polars read and write them. The first argument says what is done; see tests/parquet.rs."""

import datetime
import decimal
import json
import math
import pathlib
import random
import sys

import pandas
import polars
import pyarrow
import pyarrow.parquet

D = decimal.Decimal


def same(a, b):
    """Whether two cells have one value."""
    if a is None or b is None or isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float, D)) and isinstance(b, (int, float, D)):
        return a == b if isinstance(a, float) == isinstance(b, float) else math.isclose(float(a), float(b), rel_tol=1e-15)
    if isinstance(a, datetime.datetime) and isinstance(b, datetime.datetime):
        return a == b.replace(tzinfo=None)
    return type(a) is type(b) and a == b


def typed(name, value):
    """The value that JSON of a row means."""
    if value is None:
        return None
    if name == "D":
        return datetime.date.fromisoformat(value)
    if name == "AT":
        return datetime.datetime.fromisoformat(value)
    return D(repr(value)) if name in ("X", "Y") else value


def written(home):
    """Compares t.parquet with t.jsonl, as each library reads both."""
    count = 0
    for home in sorted(pathlib.Path(home).iterdir()):
        lines = [json.loads(line) for line in (home / "t.jsonl").read_text().split("\n") if line]
        rows = [{name: typed(name, value) for name, value in line.items()} for line in lines]
        path = home / "t.parquet"
        table = pyarrow.parquet.read_table(path)
        kinds = {"ID": "int64", "NAME": "string", "N": "int64", "X": "decimal128(38, 3)", "Y": "decimal128(38, 2)", "F": "double", "OK": "bool", "D": "date32[day]", "AT": "timestamp[us]"}
        for name, kind in kinds.items():
            assert str(table.schema.field(name).type) == kind, (name, table.schema)
        assert "_h" not in table.column_names
        for read in (table.to_pylist(), polars.read_parquet(path).to_dicts()):
            assert len(read) == len(rows), (len(read), len(rows))
            for own, row in zip(read, rows):
                assert list(own) == list(row)
                for name, value in row.items():
                    assert same(own[name], value), (name, own[name], value)
                    count += 1
        frame = pandas.read_parquet(path)
        assert len(frame) == len(rows) and (not rows or frame["ID"].tolist() == [row["ID"] for row in rows])
        assert [row["ID"] for row in pyarrow.parquet.read_table(home / "some.parquet").to_pylist()] == [row["ID"] for row in rows if row["ID"] > 9]
        if rows:
            frame = polars.read_ndjson(home / "t.jsonl", infer_schema_length=None).to_dicts()
            assert [row["NAME"] for row in frame] == [row["NAME"] for row in rows]
            assert pandas.read_json(home / "t.jsonl", lines=True, dtype=False, convert_dates=False)["N"].astype(object).where(lambda cells: cells.notna(), None).tolist() == [row["N"] for row in rows]
    print(count)


def draw(random, ids):
    """Random rows."""
    some = lambda value: None if random.random() < 0.15 else value
    for id in ids:
        yield {
            "ID": id,
            "a text": some("".join(random.choices("abüñ漢 \"\\,'\t🙂0", k=random.randrange(1, 9))) + "."),
            "N": some(random.randrange(-2**40, 2**40)),
            "U": some(random.randrange(0, 2**31)),
            "F": some(random.choice([random.gauss(0, 1e6), 0.1, 1e300, -2.5e-8])),
            "X": some(D(random.randrange(-10**8, 10**8)).scaleb(-3)),
            "OK": some(random.random() < 0.5),
            "D": some(datetime.date(1900, 1, 1) + datetime.timedelta(days=random.randrange(0, 70_000))),
            "AT": some(datetime.datetime(1960, 1, 1) + datetime.timedelta(seconds=random.randrange(0, 2_000_000_000))),
        }


SCHEMA = pyarrow.schema([("ID", pyarrow.int32()), ("a text", pyarrow.string()), ("N", pyarrow.int64()), ("U", pyarrow.uint32()), ("F", pyarrow.float64()), ("X", pyarrow.decimal128(12, 3)), ("OK", pyarrow.bool_()), ("D", pyarrow.date32()), ("AT", pyarrow.timestamp("us"))])


def write(kind, folder):
    """Writes files in many ways, and what is in them."""
    folder = pathlib.Path(folder)
    folder.mkdir()
    dice, count, truth = random.Random(7), 0, []
    ways = []
    if kind == "parquet":
        for codec in ("none", "snappy", "gzip", "zstd"):
            for options in ({}, {"use_dictionary": False}, {"data_page_version": "2.0"}, {"version": "1.0"}, {"row_group_size": 7}, {"use_dictionary": False, "column_encoding": {"ID": "DELTA_BINARY_PACKED", "N": "DELTA_BINARY_PACKED", "a text": "DELTA_BYTE_ARRAY", "F": "BYTE_STREAM_SPLIT"}}, {"use_dictionary": False, "column_encoding": {"a text": "DELTA_LENGTH_BYTE_ARRAY"}}, {"coerce_timestamps": "ms"}, {"use_deprecated_int96_timestamps": True}, {"data_page_size": 64}):
                ways.append(lambda rows, path, codec=codec, options=options: pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, SCHEMA), path, compression=codec, **options))
            ways.append(lambda rows, path, codec=codec: pyarrow.Table.from_pylist(rows, SCHEMA).to_pandas(types_mapper=pandas.ArrowDtype).to_parquet(path, compression=None if codec == "none" else codec))
            ways.append(lambda rows, path, codec=codec: polars.from_arrow(pyarrow.Table.from_pylist(rows, SCHEMA)).write_parquet(path, compression="uncompressed" if codec == "none" else codec))
    else:
        plain = lambda rows: [{name: value.isoformat() if isinstance(value, datetime.date) else float(value) if isinstance(value, D) else value for name, value in row.items()} for row in rows]
        for _ in range(12):
            ways.append(lambda rows, path: path.write_text("".join(json.dumps(row) + "\n" for row in plain(rows))))
            ways.append(lambda rows, path: polars.DataFrame(plain(rows), infer_schema_length=None).write_ndjson(path))
            ways.append(lambda rows, path: pandas.DataFrame(plain(rows), dtype=object).to_json(path, orient="records", lines=True, double_precision=15))
    for number, way in enumerate(ways):
        size = dice.randrange(1, 40) + (5000 if number == 3 and kind == "parquet" else 0)
        rows = list(draw(dice, range(count, count + size)))
        if kind != "parquet":
            for row in rows:  # pandas rounds to 15 places, and does not write nulls as other keys.
                row["F"] = None if row["F"] is None else round(row["F"], 3) if abs(row["F"]) < 1e9 else 0.5
        count += size
        truth += rows
        way(rows, folder / f"f{number:03}.{'parquet' if kind == 'parquet' else 'jsonl'}")
    show = lambda value: value.isoformat() if isinstance(value, datetime.date) else str(value) if isinstance(value, D) else value
    pathlib.Path("truth.json").write_text(json.dumps([[show(value) for value in row.values()] for row in truth]))
    print(count)


def read(bundle, _):
    """Compares the answer key with what was written."""
    line = json.loads((pathlib.Path(bundle) / "instances.jsonl").read_text(), parse_float=D)
    rows = line["metadata"]["picard"]["expect"][0]["value"]["rows"]
    truth = json.loads(pathlib.Path("truth.json").read_text(), parse_float=D)
    assert len(rows) == len(truth), (len(rows), len(truth))
    count = 0
    for row, wanted in zip(rows, truth):
        cells = row if isinstance(row, list) else list(row.values())
        for at, (cell, value) in enumerate(zip(cells, wanted)):
            while isinstance(cell, dict):
                cell = next(iter(cell.values()))
            if at == 6 and cell is not None:
                cell = bool(cell)
            if at in (4, 5) and value is not None:
                assert math.isclose(float(cell), float(value), rel_tol=1e-15), (at, cell, value)
            else:
                assert cell == value, (at, row, wanted)
            count += 1
    print(count)


def answers(bundle):
    """Writes answers, right and wrong, as each library does."""
    line = json.loads((pathlib.Path(bundle) / "instances.jsonl").read_text().split("\n")[0])
    home = pathlib.Path(bundle) / "files" / line["id"]
    table = pyarrow.parquet.read_table(home / "in/sold.parquet")
    low = table.filter(pyarrow.compute.less(table["N"], 60))
    frame, plain = polars.from_arrow(low), low.to_pandas()
    as_float = lambda table: table.set_column(2, "PRICE", table["PRICE"].cast(pyarrow.float64()))
    write = pyarrow.parquet.write_table
    cases = [
        ("right", lambda path: write(low, path)),
        ("right", lambda path: write(low, path, compression="zstd", data_page_version="2.0")),
        ("right", lambda path: write(low, path, compression="gzip", row_group_size=3)),
        ("right", lambda path: write(as_float(low), path)),
        ("right", lambda path: frame.write_parquet(path)),
        ("right", lambda path: frame.sort("N").write_parquet(path, compression="snappy")),
        ("right", lambda path: plain.to_parquet(path, index=False)),
        ("right", lambda path: plain.assign(PRICE=plain["PRICE"].astype(float)).to_parquet(path, index=False)),
        ("right", lambda path: frame.with_columns(polars.col("N").cast(polars.UInt8)).write_parquet(path)),
        ("wrong", lambda path: write(table, path)),
        ("wrong", lambda path: write(low.slice(1), path)),
        ("wrong", lambda path: frame.with_columns(polars.col("N") + 1).write_parquet(path)),
        ("wrong", lambda path: frame.drop("OK").write_parquet(path)),
        ("wrong", lambda path: plain.to_csv(path, index=False)),
        ("wrong", lambda path: path.write_bytes(b"PAR1" + bytes(40) + b"PAR1")),
        ("wrong", lambda path: path.write_bytes(b"")),
    ]
    for at, (verdict, way) in enumerate(cases):
        folder = pathlib.Path(f"answer{at}")
        folder.mkdir()
        way(folder / "low.parquet")
        print(folder, verdict)


import pyarrow.compute  # noqa: E402

{"written": written, "write": write, "read": read, "answers": answers}[sys.argv[1]](*sys.argv[2:])
