"""The source distribution has everything that a build reads."""

import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

SOURCE = pathlib.Path(__file__).parents[1]
MATURIN = pathlib.Path(sys.executable).with_name("maturin")


@pytest.mark.skipif(not MATURIN.exists() or not shutil.which("cargo"), reason="needs maturin and cargo")
def test_the_source_distribution_has_what_crates_include(tmp_path):
    made = [MATURIN, "sdist", "--out", str(tmp_path)]
    subprocess.run(made, cwd=SOURCE, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (root,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert {"LICENSE-MIT", "LICENSE-APACHE"} <= {path.name for path in root.iterdir()}
    included = []
    for source in (root / "crates").glob("*/src/**/*.rs"):
        crate = root / "crates" / source.relative_to(root / "crates").parts[0]
        for macro, path in re.findall(r'\b(include_dir|include_str|include_bytes)!\("([^"]+)"', source.read_text()):
            here = crate if macro == "include_dir" else source.parent
            included.append(here / path.replace("$CARGO_MANIFEST_DIR/", ""))
    assert len(included) > 5
    assert [str(path) for path in included if not path.exists()] == []
    shipped = {path.name for path in (SOURCE.parent / "games" / "gdl").iterdir()}
    assert {path.name for path in (root / "games" / "gdl").iterdir()} == shipped
