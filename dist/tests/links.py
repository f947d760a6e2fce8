"""Finds dead links between the pages of an installation. Arguments: folders with Markdown pages."""

import pathlib
import re
import sys

CODE = re.compile(r"(?ms)^ *```.*?^ *```")
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"(?m)^#+ +(.+?) *$")


def anchors(page):
    """The anchors of its headings, as GitHub makes them."""
    for heading in HEADING.findall(CODE.sub("", page.read_text())):
        yield re.sub(r"[^\w _-]", "", re.sub(r"\[([^]]*)]\([^)]*\)", r"\1", heading.lower())).replace(" ", "-")


def main(folders):
    links, dead = 0, []
    for folder in map(pathlib.Path, folders):
        top = folder.resolve()
        for page in sorted(top.rglob("*.md")):
            for name, heading in LINK.findall(CODE.sub("", page.read_text())):
                links += 1
                target = (page.parent / name).resolve() if name else page
                if not target.exists() or top not in (target, *target.parents):
                    dead.append(f"{page.relative_to(top)}: {name}")
                elif heading and target.suffix == ".md" and heading not in anchors(target):
                    dead.append(f"{page.relative_to(top)}: {name}#{heading}")
    print(f"{links} links")
    if dead or links < 100:
        sys.exit("\n".join(["dead links:", *dead]))


if __name__ == "__main__":
    main(sys.argv[1:])
