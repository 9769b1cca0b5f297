# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants mistakes in a copy of the sources, all at once: each stands beside what was there, and the environment's LS_MUTANT says
which of them is made. So the whole sample is compiled once.

    if (a < b)    becomes    if ((ls_mutant (17) ? ((a) <= (b)) : (a < b)))
"""
import os
import random
import re
import shlex

from clang import cindex
from clang.cindex import CursorKind as Kind, TypeKind

OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*", "%": "/",
         "<<": ">>", ">>": "<<", "&&": "||", "||": "&&", "&": "|", "|": "&"}
ON_POINTERS = ("==", "!=", "&&", "||")
ON_INTEGERS = ("&", "|", "%", "<<", ">>")
INTEGERS = (TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.SHORT, TypeKind.USHORT, TypeKind.UCHAR, TypeKind.CHAR_S,
            TypeKind.SCHAR, TypeKind.BOOL, TypeKind.ENUM)
POINTERS = (TypeKind.POINTER, TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)
# Calls that only give back what was taken, or wait: without them a test hangs, or nothing is to be seen.
GIVES_BACK = re.compile(r"free|unref|clear|destroy|close|restore|lock|wait|signal|cond|pop\b|warning|critical|message")

HEADER = """#pragma once
extern unsigned char ls_mutants_met[{0}];
extern int ls_mutant_made;
#define ls_mutant(n) (ls_mutants_met[n] = 1, __builtin_expect (ls_mutant_made == (n), 0))
"""
# Linked to all programs: which is made, and which a program has met, into a file of its own in the folder LS_MUTANTS_MET.
RUNTIME = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
unsigned char ls_mutants_met[{0}];
int ls_mutant_made = -1;
__attribute__ ((constructor (101))) static void
begin (void)
{{
  const char *number = getenv ("LS_MUTANT");
  ls_mutant_made = number != NULL ? atoi (number) : -1;
}}
__attribute__ ((destructor)) static void
end (void)
{{
  const char *folder = getenv ("LS_MUTANTS_MET");
  char name[512];
  int file;
  snprintf (name, sizeof name, "%s/%d", folder != NULL ? folder : "", (int) getpid ());
  if (folder == NULL || (file = open (name, O_WRONLY | O_CREAT | O_TRUNC, 0600)) < 0)
    return;
  if (write (file, ls_mutants_met, sizeof ls_mutants_met) < 0)
    unlink (name);
  close (file);
}}
"""


class Mistake:
    def __init__(self, start, end, kind, text):
        self.start, self.end, self.kind, self.text = start, end, kind, text

    def crosses(self, other):
        return (self.start < other.end and other.start < self.end and not (self.start <= other.start and other.end <= self.end)
                and not (other.start <= self.start and self.end <= other.end))


def is_integer(cursor):
    return cursor.type.get_canonical().kind in INTEGERS


class Source:
    """A file's mistakes: those that can be made in its functions. What a macro writes is left as it is."""

    def __init__(self, path, unit):
        with open(path, "rb") as file:
            self.data = file.read()
        self.path, self.mistakes, self.bodies = path, [], []
        top = [c for c in unit.cursor.get_children() if c.location.file and c.location.file.name == path]
        self.macros = {c.extent.start.offset for c in top if c.kind == Kind.MACRO_INSTANTIATION}
        for function in top:
            for body in function.get_children() if function.kind == Kind.FUNCTION_DECL and function.is_definition() else ():
                if body.kind == Kind.COMPOUND_STMT and self.span(body):
                    self.bodies.append(self.span(body))
                    self.visit(body)
        for found in re.finditer(rb'(?<!\w)_ ?\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', self.data):
            if any(start <= found.start() < end for start, end in self.bodies):
                self.add(found.span(), "words", '"¿' + found.group(1).decode().split('"', 1)[1])

    def span(self, cursor):
        start, end = cursor.extent.start, cursor.extent.end
        if start.file and end.file and start.file.name == end.file.name == self.path:
            return start.offset, end.offset
        return None

    def text(self, span):
        return self.data[span[0]:span[1]].decode()

    def add(self, span, kind, text):
        self.mistakes.append(Mistake(*span, kind, text))

    def visit(self, cursor):
        kind, span = cursor.kind, self.span(cursor)
        declares = kind in (Kind.DECL_STMT, Kind.VAR_DECL)
        if span is None or span[0] in self.macros and not declares and kind != Kind.COMPOUND_STMT:
            return
        if kind == Kind.VAR_DECL and cursor.storage_class == cindex.StorageClass.STATIC or kind in (Kind.CXX_UNARY_EXPR, Kind.StmtExpr):
            return
        parts = list(cursor.get_children())
        if kind == Kind.VAR_DECL and cursor.type.kind in POINTERS[1:] + (TypeKind.VARIABLEARRAY,):
            parts = [part for part in parts if part.kind == Kind.INIT_LIST_EXPR]  # not its size
        if kind == Kind.CASE_STMT:
            parts = parts[1:]
        spans = [self.span(part) for part in parts]
        if all(spans):
            self.mistake(cursor, kind, span, parts, spans)
        for part in parts:
            self.visit(part)

    def mistake(self, cursor, kind, span, parts, spans):
        """What can be wrong with this node itself."""
        whole = self.text(span)
        if kind == Kind.BINARY_OPERATOR and len(parts) == 2 and spans[0][1] <= spans[1][0]:
            sign = self.text((spans[0][1], spans[1][0])).strip()
            other = OTHER.get(sign)
            if sign == "*" and all(map(is_integer, parts)):
                other = "+"  # a division by zero would end the program
            pointers = any(part.type.get_canonical().kind in POINTERS for part in parts)
            if other and (sign in ON_POINTERS or not pointers) and (sign not in ON_INTEGERS or all(map(is_integer, parts))):
                self.add(span, sign, f"({self.text(spans[0])}) {other} ({self.text(spans[1])})")
        elif kind == Kind.UNARY_OPERATOR and parts and self.text((span[0], spans[0][0])).strip() == "!":
            self.add(span, "!", f"!!({self.text(spans[0])})")
        elif kind == Kind.INTEGER_LITERAL and is_integer(cursor) and re.fullmatch(r"\d+u?", whole):
            self.add(span, "number", f"{whole} + 1")
        elif kind == Kind.FLOATING_LITERAL and re.fullmatch(r"[\d.eE+-]+f?", whole):
            self.add(span, "number", f"{whole} * 1.25{'f' if whole.endswith('f') else ' + 0.01'}")
        elif kind == Kind.CONDITIONAL_OPERATOR and len(parts) == 3:
            self.add(span, "?:", "({}) ? ({}) : ({})".format(*(self.text(spans[i]) for i in (0, 2, 1))))
        elif kind == Kind.IF_STMT and parts[0].kind not in (Kind.BINARY_OPERATOR, Kind.UNARY_OPERATOR, Kind.DECL_STMT):
            self.add(spans[0], "if", f"!({self.text(spans[0])})")
        elif kind == Kind.CALL_EXPR:
            self.swap(cursor, span)
        # what a block or branch does isn't done
        for part, place in zip(parts, spans):
            if place[0] in self.macros or not (kind == Kind.COMPOUND_STMT or kind in (Kind.IF_STMT, Kind.FOR_STMT, Kind.WHILE_STMT) and part != parts[0]):
                continue
            if part.kind == Kind.CALL_EXPR and not GIVES_BACK.search(self.text(place).split("(")[0]):
                self.add(place, "call", "(void) 0")
            elif kind == Kind.COMPOUND_STMT and (part.kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR
                                                 or part.kind == Kind.BINARY_OPERATOR and " = " in self.text(place)):
                self.add(place, "assignment", "(void) 0")

    def swap(self, call, span):
        """Two arguments of one type, side by side."""
        arguments = list(call.get_arguments())
        for one, two in zip(arguments, arguments[1:]):
            a, b = self.span(one), self.span(two)
            if not a or not b or a[1] > b[0] or self.macros & {a[0], b[0]}:
                continue
            same = one.type.get_canonical().spelling.replace("const ", "") == two.type.get_canonical().spelling.replace("const ", "")
            if (same or is_integer(one) and is_integer(two)) and self.text(a) != self.text(b) and not set('"{') & set(self.text(a) + self.text(b)):
                self.add(span, "swap", self.text((span[0], a[0])) + self.text(b) + self.text((a[1], b[0])) + self.text(a) + self.text((b[1], span[1])))
                return

    def planted(self, share, chance, mutants, name):
        """The text with a share of them in it; each is appended to mutants."""
        chosen = []
        for mistake in self.mistakes:
            if chance.random() < share and not any(mistake.crosses(other) for other in chosen):
                chosen.append(mistake)
        chosen.sort(key=lambda mistake: (mistake.start, -mistake.end))

        def inside(start, end, mistakes):
            out, at = [], start
            while mistakes:
                first, inner = mistakes[0], [m for m in mistakes[1:] if m.end <= mistakes[0].end]
                mistakes = mistakes[1 + len(inner):]
                number = len(mutants)
                mutants.append({"file": name, "line": self.data.count(b"\n", 0, first.start) + 1, "kind": first.kind,
                                "was": " ".join(self.text((first.start, first.end)).split()), "is": " ".join(first.text.split())})
                void = "(void) " if first.text == "(void) 0" else ""
                out += [self.text((at, first.start)), f"(ls_mutant ({number}) ? ({first.text}) : {void}(",
                        inside(first.start, first.end, inner), "))"]
                at = first.end
            return "".join(out) + self.text((at, end))

        before = len(mutants)
        text = inside(0, len(self.data), chosen)
        return text.replace("#include", '#include "ls_mutant.h"\n#include', 1) if len(mutants) > before else None


def plant(root, commands, wanted, share, seed):
    """In the sources under root that `wanted` matches, as these commands (compile_commands.json) compile them; the mutants."""
    chance, index, mutants = random.Random(seed), cindex.Index.create(), []
    for command in sorted(commands, key=lambda command: command["file"]):
        path = os.path.realpath(os.path.join(command["directory"], command["file"]))
        name = os.path.relpath(path, root)
        if not wanted.search(name) or not os.path.exists(path) or b"ls_mutant.h" in open(path, "rb").read():
            continue
        flags = [word for word in shlex.split(command["command"]) if word.startswith(("-I", "-D", "-isystem"))]
        unit = index.parse(path, args=["-std=gnu17", f"-working-directory={command['directory']}", *flags],
                           options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        wrong = [diagnostic for diagnostic in unit.diagnostics if diagnostic.severity >= cindex.Diagnostic.Error]
        if wrong:
            raise SystemExit(f"{name} can't be read: {wrong[0]}")
        text = Source(path, unit).planted(share, chance, mutants, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return mutants
