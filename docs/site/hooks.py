# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The pages of the whole tree as one site: they are copied to a folder that looks like the tree, so
that their links hold. A link to a source file becomes its name; the files are in the tree."""
import pathlib
import re
import shutil
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("README.md", "CHANGELOG.md", "tests/data/README.md")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
staged = tempfile.TemporaryDirectory()


def on_config(config):
    folder = pathlib.Path(staged.name)
    shutil.copytree(ROOT / "docs", folder / "docs", dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("*.py", "*.yml", "__pycache__"))
    for name in PAGES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    config["docs_dir"] = str(folder)
    return config


def on_page_markdown(markdown, page, **_):
    here = (ROOT / page.file.src_path).parent

    def checked(link):
        target = (here / link[2]).resolve()
        if not target.exists():
            raise SystemExit(f"{page.file.src_path}: a link to {link[2]}, which is not there")
        return link[0] if (pathlib.Path(staged.name) / target.relative_to(ROOT)).is_file() else link[1]

    return LINK.sub(checked, markdown)
