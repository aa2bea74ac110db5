"""Spack's recipe, for the clone of hockney that it lies in:

    spack repo add packaging/spack
    spack install hockney
"""

import os

try:  # Spack 1, whose compilers are dependencies
    from spack_repo.builtin.build_systems.cmake import CMakePackage

    LANGUAGES = ("c", "cxx")
except ImportError:  # Spack 0.2x, where CMakePackage comes with the next line
    LANGUAGES = ()

from spack.package import *

CLONE = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))


def pinned(library):
    """The archive of a library that HOCKNEY_FETCH takes."""
    with open(os.path.join(CLONE, "cmake", "pins"), encoding="utf-8") as pins:
        _, _, url, sha256 = next(line.split() for line in pins if line.startswith(library + " "))
    return {"name": library.lower(), "url": url, "sha256": sha256}


class Hockney(CMakePackage):
    """Measures how an MPI system communicates, fits alpha/beta (Hockney) models with honest
    intervals to it, and watches it night after night."""

    git = "file://" + CLONE

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="The programs that measure")
    variant("elfutils", default=True, description="Names of functions in sampled profiles")
    variant("health", default=True, description="hockney health, with SQLite")

    for language in LANGUAGES:
        depends_on(language, type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost@1.74:")
    depends_on("cli11@2.1:", type="build")
    depends_on("eigen@3.4:", type="build")
    depends_on("fmt@8.1:")
    depends_on("libyaml")
    depends_on("nlohmann-json@3.10:", type="build")
    depends_on("hwloc@2:")
    depends_on("elfutils@0.180:", when="+elfutils")
    depends_on("mpi@3:", when="+mpi")

    conflicts("%gcc@:10", msg="hockney is written in C++20")

    # Spack has no packages of these.
    resource(placement="simdjson", **pinned("simdjson"))
    resource(placement="sqlitecpp", when="+health", **pinned("SQLiteCpp"))

    def cmake_args(self):
        source = self.stage.source_path
        return [
            self.define("BUILD_TESTING", False),
            self.define("HOCKNEY_FETCH", True),
            self.define("FETCHCONTENT_FULLY_DISCONNECTED", True),
            self.define("FETCHCONTENT_SOURCE_DIR_SIMDJSON", join_path(source, "simdjson")),
            self.define("FETCHCONTENT_SOURCE_DIR_SQLITECPP", join_path(source, "sqlitecpp")),
            self.define_from_variant("HOCKNEY_WITH_MPI", "mpi"),
            self.define_from_variant("HOCKNEY_WITH_SQLITE", "health"),
            self.define_from_variant("HOCKNEY_WITH_ELFUTILS", "elfutils"),
        ]
