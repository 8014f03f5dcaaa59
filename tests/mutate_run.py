#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws mutants of an area's files, builds each, runs the area's suites, and keeps what came out.

Called by tests/mutate.sh, which says what the arguments mean and makes BUILD/mutate.
"""
import argparse
import fnmatch
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import time

import mutate

MEMORY_BYTES = 16 << 30
# A test's time is its processor's, so that a busy machine kills no mutant. A test that sleeps runs into Check's limit.
CPU_SECONDS_LEAST, CPU_TIMES = 4, 5
SLEEP_SECONDS = 60
WALL_SECONDS = 900
SUITE_SECONDS_LEAST = 12
NICE = int(os.environ.get("MUTATE_NICE", "19"))


def read_areas(path):
    """The areas of tests/mutate_areas.txt: {name: (patterns, suites, scripts)}."""
    areas = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].rstrip()
            if not line:
                continue
            word, _, rest = line.strip().partition(" ")
            if not line.startswith(" "):
                area = areas.setdefault(line, ([], [], []))
            else:
                area[{"files": 0, "suites": 1, "scripts": 2}[word]].extend(rest.split())
    return areas


def read_reasons(path):
    """The survivors of tests/mutate_survivors.txt: {(file, function, before, after): (kind, reason)}."""
    reasons = {}
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    for place, before, after, reason in zip(*[iter(rows)] * 4):
        name, function = place.split()
        kind, _, text = reason.strip().partition(": ")
        assert before.startswith("- ") and after.startswith("+ "), place
        reasons[(name, function, before[2:], after[2:])] = (kind, text)
    return reasons


def reason_of(reasons, record):
    """(kind, reason) of a survivor, both "" if there is none."""
    return reasons.get((record["file"], record["function"], record["before"], record["after"]), ("", ""))


def files_of(names, patterns):
    wanted = [p for p in patterns if not p.startswith("!")]
    unwanted = [p[1:] for p in patterns if p.startswith("!")]
    return sorted(n for n in names if any(fnmatch.fnmatchcase(n, p) for p in wanted) and
                  not any(fnmatch.fnmatchcase(n, p) for p in unwanted))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Builder:
    """Builds one mutant at a time: its file is compiled, and the programs are linked with its object in front of the
    library that has the original."""

    def __init__(self, source, build, programs):
        self.source, self.build, self.programs = source, build, programs
        self.links = {}
        self.compiles = {}
        self.plain = {}
        self.environment = dict(os.environ, CCACHE_DISABLE="1")
        self.makefile = read(os.path.join(build, "Makefile"))
        for program in programs:
            os.utime(os.path.join(source, "emu/base/error.c"))
            self.links[program] = self._link(program)

    def _dry(self, target, changed):
        lines = subprocess.run(["make", "-n", "V=1", "-W", os.path.join(os.path.relpath(self.source, self.build), changed),
                                target], cwd=self.build, capture_output=True, text=True, check=True).stdout
        return lines.replace("\\\n", " ").split("\n")

    def _link(self, program):
        for line in self._dry(program, "emu/base/error.c"):
            if re.search(rf" -o {re.escape(program)} ", line):
                return line
        raise SystemExit(f"mutate: no line links {program}")

    def compiles_of(self, name):
        """(object, command) for each object of a file that a program has."""
        if name not in self.compiles:
            stem = os.path.splitext(name)[0]
            folder, base = os.path.split(stem)
            found = []
            for prefix in ("libgfe_core_a-", "tests_check_all-", "libgfe_preload_a-", "libgfe_record_so-", ""):
                target = f"{folder}/{prefix}{base}.o"
                if not os.path.exists(os.path.join(self.build, target)):
                    continue
                for line in self._dry(target, name):
                    match = re.search(r"(\S*gcc|\S*cc) .* -c -o \S+ .*", line)
                    if match and f" -o {target} " in line:
                        command = re.sub(r"-M[TF] \S+|-MD|-MP", "", match.group().split("&&")[0])
                        command = re.sub(rf" -o {re.escape(target)} .*", f" -o {target} mutant/{name}", command)
                        found.append((target, command))
            self.compiles[name] = found
        return self.compiles[name]

    def shell(self, command):
        return subprocess.run(["sh", "-c", command], cwd=self.build, env=self.environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def optimised(self, name):
        """The object of what was placed, optimised: equal objects are equal programs."""
        command = self.compiles_of(name)[0][1]
        path = os.path.join(self.build, "optimised.o")
        command = re.sub(r" -o \S+ ", " -O2 -frandom-seed=0 -o optimised.o ", command, count=1)
        if self.shell(command) != 0:
            return None
        with open(path, "rb") as file:
            return file.read()

    def place(self, name, text):
        """Writes a text for a file, beside the sources, under the file's name: it stands in objects."""
        path = os.path.join(self.build, "mutant", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, text)

    def build_with(self, name, text):
        """Builds the programs with the text in place of the file. False if it does not compile."""
        self.place(name, text)
        for target, command in self.compiles_of(name):
            if self.shell(re.sub(r" -o \S+ ", f" -o {mutant_object(target)} ", command, count=1)) != 0:
                return False
        return all(self._link_one(program, name) for program in self.programs)

    def is_equivalent(self, name, text):
        """Whether a compiler makes the same of the text and of the file."""
        if name not in self.plain:
            self.place(name, read(os.path.join(self.source, name)))
            self.plain[name] = self.optimised(name)
            assert self.plain[name], name
        self.place(name, text)
        return self.optimised(name) == self.plain[name]

    def _link_one(self, program, name):
        link = self.links[program]
        with_object = link
        for target, _ in self.compiles_of(name):
            made = mutant_object(target)
            if f" {target} " in link:
                with_object = with_object.replace(f" {target} ", f" {made} ")
            elif "libgfe_core_a-" in target and " libgfe_core.a" in link:
                with_object = with_object.replace(" libgfe_core.a", f" {made} libgfe_core.a", 1)
            elif "libgfe_preload_a-" in target and ",libgfe_preload.a," in link:
                archive = "mutant_preload.a"
                if self.shell(f"cp libgfe_preload.a {archive} && cp {made} {os.path.basename(target)} && "
                              f"ar r {archive} {os.path.basename(target)} && rm {os.path.basename(target)}") != 0:
                    return False
                with_object = with_object.replace(",libgfe_preload.a,", f",{archive},")
        if with_object == link:
            return True
        # The program under its own name: scripts look for it there.
        return self.shell(with_object) == 0

    def give_back(self):
        for program in self.programs:
            if self.shell(self.links[program]) != 0:
                raise SystemExit(f"mutate: {program} does not link without a mutant")


def mutant_object(target):
    return "mutant-" + target.replace("/", "-")


class Runner:
    def __init__(self, source, build):
        self.source, self.build = source, build
        self.baseline = {}

    def run(self, test):
        """"passed", "failed" or "time" for a suite or a script (which ends with .sh), and its seconds."""
        environment = dict(os.environ, top_srcdir=self.source, top_builddir=self.build, CK_DEFAULT_TIMEOUT=str(SLEEP_SECONDS),
                           CHECK_THIN="1")
        command = ["sh", os.path.join(self.source, test)] if test.endswith(".sh") else ["tests/check_all", test]
        limit = int(max(CPU_SECONDS_LEAST, CPU_TIMES * self.baseline.get(test, 40)))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(os.path.join(self.build, "mutate.out"), "wb") as out:
            process = subprocess.Popen(command, cwd=self.build, env=environment, stdout=out, stderr=out,
                                       stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=lambda: limit_process(limit))
            status = wait_for(process, max(SUITE_SECONDS_LEAST, CPU_TIMES * self.baseline.get(test, 200)))
        end_session(process)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if status is None:
            return "time", took
        return ("passed" if status in (0, 77) else "failed"), took

    def measure(self, tests):
        for test in tests:
            if test not in self.baseline:
                state, took = self.run(test)
                if state != "passed":
                    raise SystemExit(f"mutate: {test} fails without a mutant; see {self.build}/mutate.out")
                self.baseline[test] = took


def wait_for(process, cpu_seconds):
    """The status of a process, or None if its children took more than their time."""
    end = time.monotonic() + WALL_SECONDS
    while time.monotonic() < end:
        try:
            return process.wait(0.1)
        except subprocess.TimeoutExpired:
            pass
        times = read(f"/proc/{process.pid}/stat").rpartition(")")[2].split()[11:15]
        if sum(map(int, times)) > cpu_seconds * os.sysconf("SC_CLK_TCK"):
            return None
    return None


def limit_process(cpu_seconds):
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def end_session(process):
    """Ends the processes that a test left: those of the session that was started for the test."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)  # Check ends its children, too
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            pass
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            if os.getsid(int(entry)) == process.pid:
                os.kill(int(entry), signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    process.wait()


def order_of(tests, name, baseline):
    """The area's tests, those with the file's name first, then the shorter ones."""
    stem = os.path.splitext(os.path.basename(name))[0]

    def rank(test):
        suite = re.sub(r"^tests/test_|\.sh$", "", test)
        near = len(os.path.commonprefix([suite, stem]))
        return (-(near if near > 5 else 0), baseline[test])
    return sorted(tests, key=rank)


def draw(top, names, patterns, seed):
    """All mutants of an area in the order of the draw."""
    mutants = []
    for name in files_of(names, patterns):
        mutants.extend(mutate.mutants_of(name, read(os.path.join(top, name)), seed))
    return sorted(mutants, key=lambda m: m.rank)


def drawn_of(mutants):
    """The mutants in the order of the draw, at most one for each place (file and offset)."""
    seen = set()
    for mutant in mutants:
        place = (mutant.file, mutant.start)
        if place not in seen:
            seen.add(place)
            yield mutant


def load(path):
    """What came out: {rank of the mutant: record}."""
    records = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                records[record["rank"]] = record
    return records


def try_mutant(builder, runner, tests, mutant):
    """What becomes of a mutant, the test that killed it, and the tests' seconds."""
    text = mutate.mutated(read(os.path.join(builder.source, mutant.file)), mutant)
    if not builder.build_with(mutant.file, text):
        return "no build", "", 0
    seconds = 0
    for test in order_of(tests, mutant.file, runner.baseline):
        result, took = runner.run(test)
        seconds += took
        if result != "passed":
            return "killed" if result == "failed" else "time", test, seconds
    return ("equivalent" if builder.is_equivalent(mutant.file, text) else "lived"), "", seconds


def programs_of(area):
    return ["tests/check_all"] + (["gfe", "libgfe-record.so"] if area[2] else [])


def run_area(arguments, areas, area, results):
    suites, scripts = areas[area][1], ["tests/test_%s.sh" % s for s in areas[area][2]]
    builder = Builder(arguments.source, arguments.build, programs_of(areas[area]))
    runner = Runner(arguments.source, arguments.build)
    builder.give_back()
    runner.measure(suites + scripts)
    records = load(results)
    counted = 0
    try:
        for mutant in drawn_of(draw(arguments.source, read(arguments.names).split(), areas[area][0], arguments.seed)):
            if counted >= arguments.number:
                break
            old = records.get(mutant.rank)
            if old and not (arguments.again and old["state"] == "lived"):
                counted += old["state"] in ("killed", "time", "lived")
                continue
            if arguments.only and not fnmatch.fnmatchcase(mutant.file, arguments.only):
                continue
            state, test, took = try_mutant(builder, runner, suites + scripts, mutant)
            record = dict(area=area, seed=arguments.seed, rank=mutant.rank, file=mutant.file, function=mutant.function,
                          line=mutant.line, operator=mutant.operator, before=mutant.before, after=mutant.after,
                          state=state, test=test, seconds=round(took, 1),
                          first=old["first"] if old else state)
            with open(results, "a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            counted += state in ("killed", "time", "lived")
            if state not in ("no build", "equivalent"):
                print(f"{area} {counted}: {state} {mutant.file}:{mutant.line} {mutant.operator} "
                      f"[{mutant.before}] => [{mutant.after}] {test} {took:.1f} s", flush=True)
    finally:
        builder.give_back()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--names", required=True)
    parser.add_argument("--areas", required=True)
    parser.add_argument("--results", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=30)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("area", nargs="+")
    arguments = parser.parse_args()
    areas = read_areas(arguments.areas)
    for area in arguments.area:
        if area not in areas:
            raise SystemExit(f"mutate: no area is called '{area}'; there are: {' '.join(areas)}")
    for area in arguments.area:
        run_area(arguments, areas, area, arguments.results)


if __name__ == "__main__":
    sys.exit(main())
