"""Builds the benchmarks, runs them and reads what they say: shared by `run` and `check`, and what all scripts here use."""

import concurrent.futures
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent

# Where a program gets its memory. Entries into one from another of them are counted as well; nothing does that here.
ALLOCATORS = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "memalign"}

# The whole environment of what is counted, but for the path: what makes each run like the others.
ALIKE = {
    "LC_ALL": "C",
    # Dictionaries have the same seed in each process.
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "GLIBC_TUNABLES": ":".join(
        [
            # Of `memcpy` and its like there are variants for processors, with other numbers of instructions.
            "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-ERMS,-FSRM,-RTM,-BMI2,-EVEX",
            # The allocator keeps seven free blocks of a size at hand, and what more are freed at once it hands out by
            # another way, whose length depends on what the process has freed before. With more at hand there is one way,
            # for a container and by hand alike. A chain of ten made by hand varies by 5 % otherwise.
            "glibc.malloc.tcache_count=2000",
        ]
    ),
}


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(1)


def write(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@dataclass
class Case:
    name: str
    direct: str | None = None
    makes_objects: bool = False
    role: str = "gated"

    @property
    def is_counted(self):
        return self.role != "timed"


@dataclass
class Cost:
    """What one operation costs."""

    instructions: float | None = None
    allocations: float | None = None
    bytes: float | None = None
    least: float | None = None
    median: float | None = None


def build():
    """Builds in release; gives the path of the program."""
    command = ["swift", "build", "-c", "release", "--package-path", str(FOLDER), "--product", "benchmarks"]
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        fail("the benchmarks cannot be built")
    shown = subprocess.run([*command, "--show-bin-path"], capture_output=True, text=True, check=True)
    return Path(shown.stdout.strip()) / "benchmarks"


def output(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def rows(text):
    return [line.split("\t") for line in text.splitlines()]


def list_cases(program):
    return [
        Case(name, None if direct == "-" else direct, makes_objects == "true", role)
        for name, direct, makes_objects, role in rows(output(program, "list"))
    ]


def chosen(cases, names):
    """The cases with these names and those that they are compared with; all of them if there are no names."""
    known = {case.name for case in cases}
    for name in names:
        if name not in known:
            fail(f"there is no case {name}; the cases are:\n  " + "\n  ".join(sorted(known)))
    wanted = set(names) | {case.direct for case in cases if case.name in names}
    return [case for case in cases if not names or case.name in wanted]


# MARK: Instructions and allocations


def can_count():
    return shutil.which("valgrind") is not None


def read_dump(path):
    """The instructions in a dump of callgrind, and how often an allocator was entered.

    The numbers of calls in a dump include those from where nothing was collected. How often the first instruction of a
    function was run does not.
    """
    total = 0
    entries = {}
    place = None
    object_file = ""
    skips = False
    for line in path.read_text().splitlines():
        if line.startswith("ob="):
            object_file = line[3:]
        elif line.startswith("fn="):
            name = re.sub(r"'\d+$", "", line[3:])
            place = (object_file, name) if name in ALLOCATORS else None
        elif line.startswith("summary:"):
            total = int(line.split()[1])
        elif line.startswith("calls="):
            skips = True
        elif line.startswith("0x"):
            # What follows the number of calls is the cost of what was called.
            if not skips and place:
                address, _, cost = line.split()
                entries[place] = min(entries.get(place, (1 << 64, 0)), (int(address, 16), int(cost)))
            skips = False
    return total, sum(cost for _, cost in entries.values())


def count(program, case, plant=None, registrations=None):
    """Counts one case under callgrind, in a process of its own.

    Only what runs in the function `di_measured` is collected, and dumped when it ends: once for each size of container.
    The cheapest is the one without bad luck in the table of registrations.
    """
    environment = ALIKE | {"PATH": os.environ["PATH"]}
    if plant:
        environment["DI_PLANT"] = plant
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "valgrind",
            "--quiet",
            "--tool=callgrind",
            "--toggle-collect=di_measured",
            "--dump-after=di_measured",
            "--dump-instr=yes",
            "--compress-strings=no",
            "--compress-pos=no",
            f"--callgrind-out-file={folder}/out",
            program,
            "count",
            case.name,
            *([str(registrations)] if registrations else []),
        ]
        result = subprocess.run(command, capture_output=True, text=True, env=environment)
        if result.returncode != 0:
            fail(f"{case.name} cannot be counted: {result.stdout}{result.stderr}")
        cost = Cost()
        for number, (_, operations) in enumerate(rows(result.stdout), 1):
            instructions, allocations = read_dump(Path(f"{folder}/out.{number}"))
            if instructions == 0:
                fail(f"{case.name}: nothing was collected in dump {number}")
            instructions /= int(operations)
            if cost.instructions is None or instructions < cost.instructions:
                cost = Cost(instructions=instructions, allocations=allocations / int(operations))
    return cost


def count_all(program, cases, plant=None, registrations=None):
    """Counts cases, as many at once as there are processors, the longest first."""

    def counted(case):
        return count(program, case, plant, registrations)

    cases = sorted((case for case in cases if case.is_counted), key=lambda case: "0000" not in case.name)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip((case.name for case in cases), pool.map(counted, cases)))


def measure_bytes(program):
    return {name: Cost(bytes=float(value)) for name, value in rows(output(program, "bytes"))}


# MARK: Time


def time_all(program, cases, repetitions):
    timed = output(program, "time", "--repetitions", str(repetitions), *(case.name for case in cases))
    return {name: (float(least), float(median)) for name, least, median in rows(timed)}


# MARK: Targets


@dataclass
class Target:
    """A line of `targets.tsv`: what a case may cost, compared with another one."""

    kind: str
    case: str
    over: str | None
    limit: float
    accepted: float | None
    reason: str

    def value(self, costs):
        """What is to be at most the limit; nothing if a case was not measured."""
        cost = costs.get(self.case)
        other = costs.get(self.over) if self.over else Cost(0, 0, 0)
        if cost is None or other is None:
            return None
        match self.kind:
            case "ratio":
                return cost.instructions / other.instructions
            case "difference":
                return cost.instructions - other.instructions
            case "allocations":
                return cost.allocations - other.allocations
            case "bytes":
                return cost.bytes
        fail(f"targets.tsv: {self.kind} is no kind of target")

    def text(self, value):
        unit = {"ratio": "×", "difference": " instructions more", "allocations": " allocations more", "bytes": " bytes"}
        digits = {"ratio": 3, "allocations": 2}.get(self.kind, 0)
        return (f"{value + 0.0:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}") + unit[self.kind]

    def is_over(self, value):
        # A hundredth of an allocation is what a process does once; half a byte is how they are averaged.
        tolerance = {"ratio": 0.0, "difference": 0.5, "allocations": 0.01, "bytes": 0.5}[self.kind]
        return value > self.limit + tolerance

    def is_over_accepted(self, value):
        return self.is_over(value) and (self.accepted is None or value > self.accepted)


def read_targets():
    targets = []
    for line in (FOLDER / "targets.tsv").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, case, over, limit, accepted, reason = (line.split("\t") + ["", ""])[:6]
        targets.append(
            Target(
                kind,
                case,
                None if over == "-" else over,
                float(limit),
                float(accepted) if accepted not in ("", "-") else None,
                reason,
            )
        )
    return targets


# MARK: Baselines


def compiler():
    """The compiler and the architecture, as baselines are named after them."""
    text = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"Swift version (\S+)", text)
    return f"swift-{version.group(1) if version else 'unknown'}-{platform.machine()}"


def baseline_path():
    return FOLDER / "Baselines" / f"{compiler()}.tsv"


def read_baseline(path):
    def number(text):
        return None if text == "-" else float(text)

    lines = [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {name: Cost(*map(number, values)) for name, *values in lines}


def write_baseline(path, costs):
    def text(value, digits):
        return "-" if value is None else f"{value:.{digits}f}"

    lines = [
        f"# What one operation costs with {path.stem}, {' '.join(platform.libc_ver())}. Written by `check --update`.",
        "# case\tinstructions\tallocations\tbytes",
    ]
    for name, cost in costs.items():
        lines.append("\t".join([name, text(cost.instructions, 1), text(cost.allocations, 3), text(cost.bytes, 0)]))
    write(path, "\n".join(lines) + "\n")
