# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The schemas of sim/schema: checks a value against one, and widens one so that it takes a value.

Of JSON Schema: type, properties, required, additionalProperties, items, const.
"""
import json
import os
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "sim/schema"
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def type_of(value):
    for name, kind in (("null", type(None)), ("boolean", bool), ("integer", int), ("number", float),
                       ("string", str), ("array", list), ("object", dict)):
        if isinstance(value, kind):
            return name
    raise TypeError(type(value))


def complaints(value, schema, place="$"):
    """What is wrong with a value, a sentence each."""
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    found = type_of(value)
    if types and found not in types and not (found == "integer" and "number" in types):
        return [f"{place}: is {found}, expected {' or '.join(types)}"]
    if "const" in schema and value != schema["const"]:
        return [f"{place}: is {value!r}, expected {schema['const']!r}"]
    wrong = []
    if found == "object":
        properties = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        wrong += [f"{place}: lacks {name}" for name in schema.get("required", []) if name not in value]
        for name, item in value.items():
            if name in properties:
                wrong += complaints(item, properties[name], f"{place}.{name}")
            elif others is False:
                wrong.append(f"{place}: {name} is not in the schema")
            elif others is not True:
                wrong += complaints(item, others, f"{place}.{name}")
    elif found == "array" and "items" in schema:
        for i, item in enumerate(value):
            wrong += complaints(item, schema["items"], f"{place}[{i}]")
    return wrong


def widened(schema, value):
    """The schema, so that it takes the value, too; None: nothing yet."""
    found = type_of(value)
    schema = {} if schema is None else dict(schema)
    new = "type" not in schema
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else list(types)
    if found == "integer" and "number" in types:
        found = "number"
    if found == "number" and "integer" in types:
        types.remove("integer")
    if found not in types:
        types.append(found)
    schema["type"] = types[0] if len(types) == 1 else sorted(types)
    if found == "array":
        for item in value:
            schema["items"] = widened(schema.get("items"), item)
    elif found == "object":
        others = schema.get("additionalProperties")
        if isinstance(others, dict):  # Names that are data.
            for item in value.values():
                schema["additionalProperties"] = widened(others or None, item)
                others = schema["additionalProperties"]
            return schema
        first = new or "properties" not in schema
        properties = schema.setdefault("properties", {})
        required = list(value) if first else [name for name in schema["required"] if name in value]
        schema["properties"] = {**properties, **{name: widened(properties.get(name), item)
                                                 for name, item in value.items()}}
        schema["required"] = required
        schema["additionalProperties"] = False
    return schema


def check(value):
    """Fails unless the schema that the value names takes it. PPU_UPDATE_SCHEMAS=1 widens it instead."""
    name = value["schema"]
    path = FOLDER / f"{name}.json"
    if "PPU_UPDATE_SCHEMAS" in os.environ:
        old = json.loads(path.read_text()) if path.exists() else None
        schema = {"$schema": DRAFT, "$id": name, **widened(old, value)}
        schema["properties"]["schema"] = {"const": name}
        path.write_text(json.dumps(schema, indent=1) + "\n")
    if not path.exists():
        raise AssertionError(f"there is no {path}")
    wrong = complaints(value, json.loads(path.read_text()))
    if wrong:
        raise AssertionError(f"not as {path.name} says: " + "; ".join(wrong[:5]))
