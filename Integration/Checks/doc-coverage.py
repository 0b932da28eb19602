"""The counting half of `doc-coverage`, over symbol graphs that hold no inherited comments."""

import json
import os
import pathlib
import re
import sys
import urllib.parse

# The attribute up to its closing parenthesis; what stands in string literals does not count.
UNAVAILABLE = re.compile(r'^[ \t]*@available\(\s*\*\s*,(?:[^()"]|"(?:[^"\\]|\\.)*")*\)', re.MULTILINE)
ATTRIBUTE = re.compile(r"^\s*(@\w+(\(.*\))?\s*)+$")


def place(symbol):
    location = symbol.get("location")
    if not location:
        return None
    path = urllib.parse.unquote(urllib.parse.urlparse(location["uri"]).path)
    return os.path.relpath(path), location["position"]["line"] + 1


def graph_symbols(module, folder):
    for path in [folder / f"{module}.symbols.json", *sorted(folder.glob(f"{module}@*.symbols.json"))]:
        for symbol in json.loads(path.read_text())["symbols"]:
            where = place(symbol)
            if where and symbol["kind"]["identifier"] != "swift.extension":
                yield where, ".".join(symbol["pathComponents"]), bool(symbol.get("docComment"))


def unavailable_symbols(folder):
    """Symbol graphs leave out what is unavailable everywhere, so these are found in the sources."""
    for path in sorted(folder.rglob("*.swift")):
        text = path.read_text()
        lines = text.splitlines()
        for match in UNAVAILABLE.finditer(text):
            if not re.search(r"\bunavailable\b", re.sub(r'"(?:[^"\\]|\\.)*"', "", match.group())):
                continue
            start = text.count("\n", 0, match.start())
            end = text.count("\n", 0, match.end())
            if not lines[end][match.end() - text.rfind("\n", 0, match.end()) - 1:].strip():
                end += 1
            while ATTRIBUTE.match(lines[end]):
                end += 1
            if not re.search(r"\b(public|open)\b", lines[end]):
                continue
            while start > 0 and ATTRIBUTE.match(lines[start - 1]):
                start -= 1
            documented = start > 0 and re.match(r"^\s*///|.*\*/\s*$", lines[start - 1]) is not None
            yield (str(path), end + 1), lines[end].strip(), documented


def main(manifest_path, graphs):
    manifest = json.loads(pathlib.Path(manifest_path).read_text())
    paths = {target["name"]: target.get("path") or f"Sources/{target['name']}" for target in manifest["targets"]}
    missing = []
    sums = [0, 0]
    for product in manifest["products"]:
        if "library" not in product["type"]:
            continue
        module = product["name"]
        symbols = {}
        for where, name, documented in unavailable_symbols(pathlib.Path(paths[module])):
            symbols[where] = [(name, documented)]
        for where, name, documented in graph_symbols(module, pathlib.Path(graphs)):
            symbols.setdefault(where, []).append((name, documented))
        flat = [(where, *symbol) for where, found in symbols.items() for symbol in found]
        bare = [(where, name) for where, name, documented in flat if not documented]
        print(f"{module}: {len(flat) - len(bare)}/{len(flat)} documented")
        if not flat:
            sys.exit(f"doc-coverage: {module} has no public symbol at all: the check sees nothing")
        missing += bare
        sums = [sums[0] + len(flat) - len(bare), sums[1] + len(flat)]
    print(f"All libraries: {sums[0]}/{sums[1]} documented")
    for (path, line), name in sorted(missing):
        print(f"{path}:{line}: {name} has no documentation", file=sys.stderr)
    if missing:
        sys.exit(f"doc-coverage: {len(missing)} symbol(s) without documentation")


main(*sys.argv[1:])
