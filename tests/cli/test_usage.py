# SPDX-License-Identifier: GPL-3.0-or-later
"""Help, versions, wrong words: what the parser of command lines says, and with which exit status."""
import pathlib
import re

from lockstep import NO_OPENCL, PROGRAM, TINY, Case, main, run

NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": "/nonexistent", **NO_OPENCL}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def rows(path, pattern):
    """Names of a table's rows, from the source that has it: nothing here needs a line for a new one."""
    found = [name for file in sorted(ROOT.glob(path)) for name in re.findall(pattern, file.read_text(encoding="utf-8"))]
    assert len(found) > 4, (path, found)
    return found


COMMANDS = [name for name in rows("src/ui/cli/*.c", r"(?m)^const LsCommand ls_command_(\w+) = ")
            if name not in ("window", "render") or f"  {name} " in run("--help").stdout]
VIEWS = rows("src/ui/help/help.h", r"(?m)^  ROW \((\w+)\)")
OPTIONS = rows("src/engine/core/options.c", r'(?m)^  \{ "([a-z-]+)", LS_OPTION_')


def has_window():
    return "  window " in run("--help").stdout


class Help(Case):
    def test_help_lists_the_commands(self):
        for args in [["--help"], ["-h"], ["help"]] + ([] if has_window() else [[]]):
            result = run(*args)
            self.assertEqual(result.returncode, 0)
            for command in COMMANDS:
                self.assertIn(f"  {command} ", result.stdout)

    def test_help_on_topics(self):
        """Every view has its topic, and a command's is its --help."""
        for topic in ["start", *VIEWS, "methods"]:
            result = run("help", topic)
            self.assertEqual((result.returncode, result.stderr), (0, ""), topic)
            self.assertGreater(len(re.findall(r"(?m)^  \S", result.stdout)), 4, topic)
            self.assertLess(max(map(len, result.stdout.splitlines())), 80)
        self.assertEqual(run("help", "train").stdout, run("train", "--help").stdout)
        for words, said in [(["elephants"], "“elephants”"), (["race", "tiles"], "one word too many")]:
            result = run("help", *words)
            self.assertEqual(result.returncode, 2)
            self.assertIn(said, result.stderr)

    def test_readme_says_how_we_measure(self):
        """In the same words as the program."""
        said = re.search(r"(?ms)^## How we measure$(.*?)^## ", (ROOT / "README.md").read_text(encoding="utf-8")).group(1)
        help_text = run("help", "methods").stdout.split("\n", 1)[1]
        terms = re.sub(r"(?m)^  (\S.*)$", r"**\1.**", help_text)
        self.assertEqual(said.split(), terms.split())

    def test_without_a_display_it_trains_here(self):
        if not has_window():
            self.skipTest("built without the window")
        result = run(*TINY, "--steps", "3", env=NO_DISPLAY)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("no display", result.stderr)
        self.assertIn("terminal", result.stderr)
        self.assertRegex(result.stdout, r"(?m)^CPU +3 ")

    def test_each_command_has_help(self):
        for command in COMMANDS:
            for flag in "--help", "-h":
                result = run(command, flag)
                self.assertEqual(result.returncode, 0, command)
                self.assertIn(f"lockstep {command} [OPTION…]", result.stdout)
                self.assertIn("--help", result.stdout)
                self.assertEqual(result.stderr, "")

    def test_train_names_every_option(self):
        text = run("train", "--help").stdout
        own = rows("src/ui/cli/train.c", r'(?m)^  \{ "([a-z-]+)", ')
        for name in [*OPTIONS, *own, "backends", "race"]:
            self.assertRegex(text, rf"(?m)^  --{name}[ =\[\n]", f"--{name} isn't in the help")
        self.assertIn("sgd|adam", text)
        self.assertIn("[128]", text)

    def test_help_wins_over_missing_words(self):
        self.assertEqual(run("export", "--help").returncode, 0)

    def test_version(self):
        result = run("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^Lockstep \d+\.\d+\.\d+\n$")

    def test_numbers_can_be_pasted(self):
        """Also where the language's own decimal sign is a comma."""
        locales = pathlib.Path(PROGRAM).resolve().parents[1] / "tests/files/locales"
        if not locales.is_dir():
            self.skipTest("there is no German locale")
        words = ["plan", "--data", "xor", "--model", "flatten, dense 2"]
        german = run(*words, env={"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(locales), "LANGUAGE": "en"})
        self.assertEqual(german.returncode, 0)
        self.assertEqual(re.findall(r"\d,\d", german.stdout), [], "numbers have commas")
        self.assertEqual(german.stdout, run(*words, env={"LC_ALL": "C.UTF-8"}).stdout)

    def test_ascii_terminal(self):
        result = run("train", "--help", env={"LC_ALL": "C"})
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stdout.isascii())
        self.assertNotIn("?", result.stdout.replace("[OPTION?]", ""))


class WrongWords(Case):
    def test_unknown_command(self):
        self.assertFails(run("trian"), 2, "trian", "--help")

    def test_unknown_first_option(self):
        self.assertFails(run("--frobnicate", "5", env=NO_DISPLAY), 2, "--frobnicate")

    def test_unknown_option(self):
        for command in COMMANDS:
            self.assertFails(run(command, "--frobnicate"), 2, "--frobnicate")

    def test_missing_value(self):
        self.assertFails(run("train", "--steps"), 2, "--steps")

    def test_stray_word(self):
        self.assertFails(run("train", "mnist"), 2, "mnist")

    def test_missing_word(self):
        self.assertFails(run("export", "--csv", self.path("a.csv")), 2, "RECORDING")

    def test_export_wants_a_format(self):
        self.assertFails(run("export", "x"), 2, "--perfetto", "--csv")

    def test_numbers(self):
        for name, bad in [("batch", "0"), ("batch", "65537"), ("batch", "1e3"), ("batch", "12 "), ("batch", "٣"), ("steps", "-1"),
                          ("steps", ""), ("lr", "nan"), ("lr", "inf"), ("lr", "0,5"), ("lr", "0x1p3"), ("lr", "1e400"),
                          ("lr", " 1"), ("seed", "99999999999999999999"), ("momentum", "1.5"), ("threads", "255")]:
            self.assertFails(run("train", f"--{name}={bad}"), 2, f"--{name} takes", bad)

    def test_choices_are_listed(self):
        self.assertFails(run("train", "--optimizer", "adm"), 2, "sgd, adam", "adm")
        self.assertFails(run("train", "--policy", "fair"), 2, "static, round-robin, dynamic, steal")
        self.assertFails(run("train", "--kernel", "fast"), 2, "naive")
        self.assertFails(run("train", "--turns=never"), 2, "race")
        self.assertFails(run("train", "--pace", "quick"), 2, "--pace takes one of step, watch, full", "quick")

    def test_not_utf8(self):
        self.assertFails(run("train", b"--model=\xff"), 2, "UTF-8")

    def test_model_words(self):
        for model in "danse 10", "conv", "conv 8 3 pad", "dense 0", "dense 99999999999", "", "flatten, dense 7", "maxpool 2":
            self.assertFails(run("train", "--backends", "cpu", "--model", model), 2)
        self.assertIn("danse", run("plan", "--model", "flatten, danse 10").stderr)

    def test_backends(self):
        for backends in "cuda", "", "cpu,,cpu", "cpu,quantum":
            self.assertFails(run("train", "--backends", backends), 2)

    def test_empty_file_name(self):
        self.assertFails(run("train", "--save", ""), 2)

    def test_bench_seconds(self):
        self.assertFails(run("bench", "--seconds", "0"), 2, "--seconds")
        self.assertFails(run("bench", "--seconds", "3601"), 2, "--seconds")


class Plan(Case):
    def test_table(self):
        result = run("plan")
        self.assertEqual(result.returncode, 0, result.stderr)
        for word in "gather", "matmul", "softmax_xent_grad", "sgd", "128×256", "FLOP/byte", "235146":
            self.assertIn(word, result.stdout)

    def test_cells(self):
        """Each line has its op's own facts."""
        import json
        for more in ["--model", "mlp"], ["--model", "cnn", "--batch", "37"], ["--model", "cnn", "--precision", "bf16"]:
            result = run("plan", *more, "--json", self.path("cells.json"))
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            with open(self.path("cells.json")) as file:
                ops = json.load(file)["ops"]
            lines = result.stdout.split("\n")
            first = next(i for i, line in enumerate(lines) if line.startswith("Op "))
            for n, op in enumerate(ops):
                cells = re.split(r"  +", lines[first + 1 + n].strip())
                with self.subTest(more=more, line=lines[first + 1 + n]):
                    self.assertEqual(cells[:2], [str(n + 1), op["phase"]])  # counted from 1, unlike the file
                    self.assertEqual(cells[2], str(op["layer"] + 1) if op["layer"] >= 0 else "–")
                    self.assertEqual(cells[3:6], [op["op"], op["equation"], "×".join(map(str, op["shape"]))])
                    for cell, key in (cells[6], "flop"), (cells[7], "bytes"):
                        number, unit = re.match(r"([\d.]+)(?: ([kMGT]))?$", cell).groups()
                        value = float(number) * {None: 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}[unit]
                        self.assertLessEqual(abs(value - op[key]), 0.005 * op[key], key)
                    self.assertEqual(cells[8], "%.2f" % (op["flop"] / op["bytes"]))
            self.assertEqual(lines[first + 1 + len(ops)].strip(), "")

    def test_three_digits(self):
        """What rounds to a thousand of a unit is one of the next: 2·510·2·490 FLOP."""
        line = next(line for line in run("plan", "--model", "flatten, dense 490, relu, dense 3", "--data", "spiral", "--batch", "510").stdout
                    .splitlines() if "matmul" in line)
        self.assertRegex(line, r"510×490 +1\.00 M ", "999 600 FLOP are 1.00 M, not 1000 k")

    def test_tilings(self):
        result = run("plan", "--backends", "cpu,reference", "--tiles-per-op", "4")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"\d×\d tiles of \d+×\d+")
        self.assertRegex(result.stdout, r"in op \d+")

    def test_names_of_before(self):
        """They are understood, told of, and not in --help; the new name's rules hold."""
        now = run("plan", "--backends", "cpu", "--tiles-per-op", "4")
        for option, name in (["--tiles", "4"], "tiles"), (["--tiles=4"], "tiles"):
            before = run("plan", "--backends", "cpu", *option)
            self.assertEqual((before.returncode, before.stdout), (0, now.stdout))
            self.assertIn("--%s is called --tiles-per-op now." % name, before.stderr)
        self.assertIn("--tile is called --tile-edge now.", run("plan", "--tile", "8").stderr)
        refused = run("plan", "--tile", "7")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--tile-edge takes one of", refused.stderr)
        self.assertNotRegex(run("plan", "--help").stdout, r"--tiles?[ =]")

    def test_json(self):
        import json
        result = run("plan", "--model", "cnn", "--backends", "cpu", "--json", self.path("plan.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("plan.json")) as file:
            plan = json.load(file)
        self.assertEqual(plan["format"], "lockstep-plan")
        self.assertEqual(plan["flop"], sum(op["flop"] for op in plan["ops"]))
        self.assertEqual(len(plan["lanes"]["cpu"]["tilings"]), len(plan["ops"]))
        self.assertEqual(plan["ops"][1]["op"], "conv2d")
        self.assertEqual(plan["ops"][1]["shape"], [128, 16, 28, 28])

    def test_a_cost_that_cannot_be_told_is_a_failure(self):
        for wrong, words in ("--device=no such card", "no device"), ("--months=0", "--months takes"), ("--work=2 dinners", "--work takes"):
            result = run("plan", "--cost", wrong)
            self.assertFails(result, 2, words)
            self.assertEqual(result.stdout, "")


class Pipe(Case):
    def test_closed_pipe_is_no_crash(self):
        import subprocess
        from lockstep import PROGRAM
        result = subprocess.run(f"'{PROGRAM}' plan | head -n 1; exit ${{PIPESTATUS[0]}}", shell=True, capture_output=True,
                                text=True, executable="/bin/bash")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(re.match("Model", result.stdout))


if __name__ == "__main__":
    main()
