# SPDX-License-Identifier: GPL-3.0-or-later
"""release.py METAINFO VERSION: the newest release of the metainfo is this version and has notes; what it shows is in data/."""
import os
import sys
import xml.etree.ElementTree as ET

root = ET.parse(sys.argv[1]).getroot()
release = root.find("releases/release")
if release.get("version") != sys.argv[2]:
    sys.exit(f"The metainfo's newest release is {release.get('version')}, the program's version {sys.argv[2]}.")
if not (release.findtext("description/p") or "").strip():
    sys.exit(f"The metainfo says nothing about release {sys.argv[2]}.")
pictures = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "screenshots")
have = set(os.listdir(pictures)) if os.path.isdir(pictures) else None  # a source archive may come without
for image in root.iter("image"):
    folder, _, name = image.text.rpartition("/")
    if folder != "https://raw.githubusercontent.com/lockstep-lab/lockstep/main/data/screenshots":
        sys.exit(f"{image.text} is not a picture of this repository.")
    if have is not None and name not in have:
        sys.exit(f"There is no {name} in data/screenshots.")
