"""Holds the plots of pages to their data: a field that no row has draws nothing, without an error."""
import json
import re

PLOT = re.compile(r'<script type="application/json"[^>]*id="plot-([^"]*)"[^>]*>(.*?)</script>', re.DOTALL)


def keys_of(rows):
    return {key for row in rows for key in row}


def fields(encoding):
    """Every field that an encoding names."""
    if isinstance(encoding, list):
        return {field for one in encoding for field in fields(one)}
    if not isinstance(encoding, dict):
        return set()
    named = {encoding["field"]} if isinstance(encoding.get("field"), str) else set()
    return named | {field for one in encoding.values() for field in fields(one)}


def lost(layer, keys):
    """Fields of a layer, and of those in it, that its data lack. `keys` are those of the data around it."""
    if "values" in layer.get("data", {}):
        keys = keys_of(layer["data"]["values"])
    transforms = layer.get("transform", [])
    made = {name for one in transforms if "as" in one for name in (one["as"] if isinstance(one["as"], list) else [one["as"]])}
    wanted = fields([layer.get("encoding"), layer.get("facet")]) | set(re.findall(r"\bdatum\.(\w+)", json.dumps(transforms)))
    inner = [one for kind in ("layer", "hconcat", "vconcat") for one in layer.get(kind, [])]
    inner += [layer["spec"]] if "spec" in layer else []
    return wanted - keys - made | {field for one in inner for field in lost(one, keys | made)}


def complaints(text):
    """Lines: fields of the plots in a page that no row of their data has."""
    return [f"the plot {name} has no data for its field {field}"
            for name, plot in PLOT.findall(text) for field in sorted(lost(json.loads(plot), set()))]


def self_test(text):
    """A field that its rows lose is found. `text` has a page with the picture of curves."""
    assert complaints(text) == [], complaints(text)
    damaged = text.replace('"curve":', '"course":')
    assert "the plot time-pingpong has no data for its field curve" in complaints(damaged), "a lost field"
