# SPDX-License-Identifier: GPL-3.0-or-later
"""pseudo.py SOURCE COMMAND…: runs the command with a translation that nobody wrote, of every text that POTFILES.in has.

The language is xx, its folder LOCKSTEP_LOCALE_DIR.

Each text becomes a third longer, as in German or Finnish, and each of its vowels carries an accent, so that a plain vowel on
screen is a text that was not translated. Placeholders, mnemonics, markup and what stands in «guards» for gettext stay.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ACCENTS = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
SIGNS = {".": ","}  # the decimal sign is another one, too
KEYWORDS = ["_", "N_", "C_:1c,2", "NC_:1c,2", "ngettext:1,2", "g_dngettext:2,3", "dngettext:2,3"]
# What must not change: printf's placeholders, GLib's markup, XML, and the names of options.
KEPT = re.compile(r"(%[-+ #0-9.*$]*(?:ll|l|z|h)?[a-zA-Z%]|&[a-z]+;|<[^>]*>|--[a-z-]+|\\n|\\t)")


def longer(text):
    """Every third word is followed by itself, shortened: a third more, without one word becoming wider than a column."""
    out, words = [], 0
    for part in KEPT.split(text):
        if KEPT.fullmatch(part):
            out.append(part)
            continue
        for word in re.split(r"(\s+)", part):
            out.append(word.translate(ACCENTS))
            if re.fullmatch(r"_?[A-Za-z-]{3,}[.,;:…]?", word):
                words += 1
                if words % 3 == 1:
                    out.append("·" * max(1, round(len(word) * 0.4)))
    return "".join(out)


def unquoted(block):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', block))


def translated(pot):
    """The catalogue with its msgstr filled in."""
    out = []
    for entry in pot.split("\n\n"):
        match = re.search(r'(?ms)^msgid ((?:".*?"\n?)+)(?:^msgid_plural ((?:".*?"\n?)+))?^msgstr', entry)
        if match is None or unquoted(match.group(1)) == "":
            continue
        comments = "\n".join(line for line in entry.splitlines() if line.startswith("#,") or line.startswith("msgctxt"))
        one, many = match.group(1).strip(), match.group(2)
        short = "msgctxt" in comments and len(unquoted(one)) <= 1  # a decimal sign, a separator
        new = SIGNS.get(unquoted(one), unquoted(one)) if short else longer(unquoted(one))
        if many is None:
            out.append(f'{comments}\nmsgid {one}\nmsgstr "{new}"\n')
        else:
            out.append(f'{comments}\nmsgid {one}\nmsgid_plural {many.strip()}\nmsgstr[0] "{new}"\n'
                       f'msgstr[1] "{longer(unquoted(many))}"\n')
    head = ('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nContent-Transfer-Encoding: 8bit\\n"\n'
            '"Language: xx\\nMIME-Version: 1.0\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"\n')
    return "\n".join([head, *out])


def catalogue(source, target):
    """Writes the translation as gettext loads it."""
    folder = os.path.dirname(target)
    pot, po = os.path.join(folder, "lockstep.pot"), os.path.join(folder, "xx.po")
    subprocess.run(["xgettext", "--files-from=po/POTFILES.in", "--from-code=UTF-8", "--output=" + pot,
                    *("--keyword=" + word for word in KEYWORDS)], cwd=source, check=True)
    with open(pot, encoding="utf-8") as file:
        text = translated(file.read())
    with open(po, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["msgfmt", "--check-format", "--output-file=" + target, po], check=True)


def main():
    source, *command = sys.argv[1:]
    if shutil.which("xgettext") is None or shutil.which("msgfmt") is None:
        print("1..0 # SKIP there is no gettext")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        messages = os.path.join(folder, "xx", "LC_MESSAGES")
        os.makedirs(messages)
        catalogue(source, os.path.join(messages, "lockstep.mo"))
        return subprocess.run(command, env={**os.environ, "LOCKSTEP_LOCALE_DIR": folder, "LANGUAGE": "xx"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
