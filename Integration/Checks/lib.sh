# shellcheck shell=bash
# Shared by the checks; sourced, never run.

set -euo pipefail
export LC_ALL=C.UTF-8

# Every check looks at the package it lies in, or at the one given as its first argument (the self-test does that).
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "${1:-$checks/../..}" && pwd)
cd "$root"

fail() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# The path of a tool that ships with the toolchain but may not be on PATH.
tool() {
    local resources
    command -v "$1" && return
    resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": *"\(.*\)".*/\1/p')
    [[ -x $resources/../../bin/$1 ]] || fail "the toolchain has no $1"
    echo "$resources/../../bin/$1"
}

# The output is of interest only when the command fails.
quietly() {
    local output
    output=$("$@" 2>&1) || {
        echo "$output" >&2
        fail "failed: $*"
    }
}

# The names of the package's library products, one a line.
libraries() {
    swift package dump-package | python3 -c '
import json, sys
for product in json.load(sys.stdin)["products"]:
    if "library" in product["type"]:
        print(product["name"])
' | grep . || fail "the package has no library products"
}

# Writes the public symbol graphs of the package and sets `graphs` to their folder; arguments go to the dump command.
dump_symbol_graphs() {
    local output
    rm -rf .build/*/symbolgraph
    output=$(swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members "$@" 2>&1) || {
        echo "$output" >&2
        fail "the symbol graphs could not be written"
    }
    graphs=$(sed -n 's/^Files written to //p' <<<"$output")
    [[ -d $graphs ]] || fail "swift package dump-symbol-graph did not say where it wrote"
}

# A folder that is gone when the check ends.
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# Has the manifest leave out all suites but those that have a test with "Stress" in the name of its suite, function or file.
only_stress_suites() {
    DI_SUITES=$({
        grep -rl Stress Tests --include='*.swift' || true
        find Tests -name '*Stress*.swift'
    } | sed -nE 's|^Tests/([^/]*Tests)/.*|\1|p' | sort -u | xargs)
    export DI_SUITES
    echo "In $DI_SUITES:"
}
