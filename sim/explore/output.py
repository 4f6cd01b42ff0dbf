# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What a study hands out: CSV, Parquet and the page."""
import csv
import html
import json
import os
import shlex

import columns
from refusal import ENVIRONMENT, Refusal

HERE = os.path.dirname(os.path.realpath(__file__))
# Installed beside this file, in the source tree where the reports have them.
FOLDERS = [HERE, os.path.join(HERE, "../chart"), os.path.join(HERE, "../replay/page")]
STYLES = ("chart.css", "report.css", "page.css")
SCRIPTS = ("page_data.js", "page_scatter.js", "page_parallel.js", "page_point.js", "page_main.js")


def check(options):
    """Refuses, before the work, what cannot be written."""
    for name in ("csv", "parquet", "page"):
        path = getattr(options, name)
        if path and not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise Refusal(f"--{name} {path}: there is no such folder, expected a place for the file")
    if options.parquet:
        pyarrow()


def pyarrow(option="--parquet", other="--csv"):
    try:
        import pyarrow
        import pyarrow.parquet
        return pyarrow
    except ImportError:
        raise Refusal(f"{option}: Python has no pyarrow, expected it (pip install pyarrow), or {other}",
                      ENVIRONMENT) from None


def to_parquet(csv_path=None, path=None):
    """The rows of `ppu profile --rows` as Parquet: whole numbers, and the kinds; only checks without files."""
    arrow = pyarrow("--rows", "a name that ends in .csv")
    if path is None:
        return
    with open(csv_path, newline="") as file:
        names, *rows = csv.reader(file)
    columns_of = {}
    for i, name in enumerate(names):
        cells = [row[i] or None for row in rows]
        if name == "kind":
            columns_of[name] = arrow.array(cells, arrow.string())
        else:
            columns_of[name] = arrow.array([cell and int(cell) for cell in cells], arrow.int64())
    with open(path, "wb") as file:
        arrow.parquet.write_table(arrow.table(columns_of), file)


def table(study, found, points):
    """The names of the columns, and a list for each point that is in the store."""
    axes = [name for names, _ in study.axes for name in names]
    rows = []
    for point in points:
        solved = found.get(point["hash"])
        if solved:
            rows.append([point["axes"].get(name) for name in axes]
                        + [columns.value_of(name, solved, study.technology) for name in study.columns]
                        + [point["hash"], command(point)])
    return axes + study.columns + ["point", "command"], rows


def command(point):
    return "ppu profile " + shlex.join(point["words"])


def write(options, study, store, points):
    if not (options.csv or options.parquet or options.page):
        return
    found = store.points(point["hash"] for point in points)
    names, rows = table(study, found, points)
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([names, *rows])
    if options.parquet:
        arrow = pyarrow()
        arrow.parquet.write_table(
            arrow.table({name: [row[i] for row in rows] for i, name in enumerate(names)}),
            options.parquet)
    if options.page:
        with open(options.page, "w") as file:
            file.write(page(study, found, points))


def read(name):
    for folder in FOLDERS:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            with open(path) as file:
                return file.read()
    raise Refusal(f"there is no {name} in {', '.join(FOLDERS)}, expected a whole installation",
                  ENVIRONMENT)


def page_data(study, found, points):
    """Devices, each with what every problem gave on it."""
    axes = [name for names, _ in study.axes for name in names]
    of_device = [name for name in axes if name not in ("problem", "seed")]
    devices, problems = {}, []
    for point in points:
        solved = found.get(point["hash"])
        if not solved:
            continue
        problem = str(point["axes"].get("problem", study.point.get("problem")))
        if "seed" in point["axes"]:
            problem += f" seed {point['axes']['seed']}"
        if problem not in problems:
            problems.append(problem)
        chosen = [point["axes"][name] for name in of_device]
        device = devices.setdefault(json.dumps(chosen), {
            "axes": chosen, "config": list(solved["config"].values()), "points": {}})
        device["points"][problem] = {
            "values": [columns.value_of(name, solved, study.technology) for name in study.columns],
            "stalls": list(solved["result"]["stalls"].values()),
            "bound": solved["result"]["bound"], "command": command(point)}
    keys = next(iter(found.values()))["config"] if found else {}
    return {"title": study.title, "axes": of_device, "problems": problems, "keys": list(keys),
            "stalls": list(columns.STALLS), "technology": study.technology,
            "columns": [{"name": name, "unit": columns.COLUMNS[name][0],
                         "what": columns.COLUMNS[name][1], "most": name in columns.MORE_IS_BETTER}
                        for name in study.columns],
            "devices": list(devices.values()),
            "minimize": study.search.get("minimize", [])}


def page(study, found, points):
    data = json.dumps(page_data(study, found, points)).replace("</", "<\\/")
    scripts = "".join(f"<script>\n{read(name)}</script>\n" for name in SCRIPTS)
    return (read("page.html").replace("<!--TITLE-->", html.escape(study.title))
            .replace("/*STYLE*/", "".join(read(name) for name in STYLES))
            .replace("<!--DATA-->", f'<script type="application/json" id="data">{data}</script>')
            .replace("<!--SCRIPTS-->", scripts))
