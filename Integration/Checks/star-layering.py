"""The static half of `star-layering`: what the manifest and the import lines say."""

import json
import pathlib
import re
import sys

CORE = "DICore"
# The one library that is for tests, and so may import what tests import.
TESTING = "DITesting"
FORBIDDEN = re.compile(r"_?Foundation\w*|XCTest|_?Testing(_\w+)?")

IMPORT = re.compile(
    r"(?:^|;)[ \t]*(?P<modifiers>(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private)\s+)*)"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor)\s+)?(?P<module>\w+)",
    re.MULTILINE,
)
# Text in which the word `import` means nothing. Line comments inside are left as they are: no import starts in one.
OPAQUE = re.compile(r'#*"""[\s\S]*?"""#*|/\*[\s\S]*?\*/')


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def imports(source):
    text = OPAQUE.sub(blank, source)
    for match in IMPORT.finditer(text):
        yield text.count("\n", 0, match.start("module")) + 1, match["module"], match["modifiers"].split()


def main(manifest_path, satellites_path):
    manifest = json.loads(pathlib.Path(manifest_path).read_text())
    targets = {target["name"]: target for target in manifest["targets"]}
    problems = []

    if manifest["dependencies"]:
        problems.append("Package.swift: the package has dependencies; it may have none")

    libraries = []
    for product in manifest["products"]:
        if "library" not in product["type"]:
            continue
        name = product["name"]
        libraries.append(name)
        if product["targets"] != [name]:
            problems.append(f"Package.swift: product {name} consists of {product['targets']}, not of the target {name}")
            continue
        target = targets[name]
        found = sorted(
            str(next((part for part in value if isinstance(part, str)), value))
            for dependency in target["dependencies"] + target.get("pluginUsages", [])
            for value in dependency.values()
        )
        wanted = [] if name == CORE else [CORE]
        if found != wanted:
            problems.append(f"Package.swift: {name} depends on {found or 'nothing'}, not on {wanted or 'nothing'}")
    if CORE not in libraries:
        problems.append(f"Package.swift: there is no library {CORE}")

    ours = set(targets)
    files = lines = 0
    beyond = set()
    rows = []
    for name in libraries:
        folder = pathlib.Path(targets.get(name, {}).get("path") or f"Sources/{name}")
        sources = sorted(folder.rglob("*.swift"))
        if not sources:
            problems.append(f"{folder}: {name} has no source files")
        for path in sources:
            files += 1
            for line, module, modifiers in imports(path.read_text()):
                lines += 1
                place = f"{path}:{line}"
                if module in ours - ({name} if name == CORE else {name, CORE}):
                    problems.append(f"{place}: {name} imports {module}")
                if name != TESTING and FORBIDDEN.fullmatch(module):
                    problems.append(f"{place}: {name} imports {module}; only {TESTING} may")
                if name == CORE:
                    beyond.add(module)
                else:
                    for modifier in modifiers:
                        if re.match(r"@testable|@_spi|@_exported|@_private|package", modifier):
                            problems.append(f"{place}: {name} imports {module} with {modifier}")
        if name != CORE:
            flags = []
            for setting in targets.get(name, {}).get("settings", []):
                for kind, value in setting["kind"].items():
                    if kind in ("enableUpcomingFeature", "enableExperimentalFeature"):
                        flag = "-enable-" + kind[len("enable"):-len("Feature")].lower() + "-feature"
                        flags += [flag, value["_0"]]
            rows.append("\t".join([name, str(folder), " ".join(flags)]))
    pathlib.Path(satellites_path).write_text("".join(row + "\n" for row in rows))

    print(f"Looked at {len(libraries)} libraries, {files} files, {lines} imports. "
          f"{CORE} imports {', '.join(sorted(beyond)) or 'nothing'}.")
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(f"star-layering: {len(problems)} violation(s)")


main(*sys.argv[1:])
