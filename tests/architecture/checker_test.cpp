#include <catch2/catch.hpp>

#include "tests/architecture/checker.hpp"
#include "tests/architecture/tree.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace hockney::architecture;
using Texts = std::vector<std::string>;
using Files = std::vector<SourceFile>;

namespace {

Texts check(const std::string& path, const std::string& text) {
  return violations_of(house_rules(), SourceFile{path, text});
}

std::string including(const std::string& header) { return "#include \"" + header + "\"\n"; }

}  // namespace

TEST_CASE("includes are found however they are spelt") {
  const auto includes = includes_of(
      "#include <vector>\n  #  include\t\"core/a.hpp\"  // why\nint x;\n// #include "
      "<a>\n#include<b>");
  REQUIRE(includes.size() == 3);
  CHECK(includes[0].header == "vector");
  CHECK_FALSE(includes[0].quoted);
  CHECK(includes[1].header == "core/a.hpp");
  CHECK(includes[1].quoted);
  CHECK(includes[1].line == 2);
  CHECK(includes[2].header == "b");
}

TEST_CASE("downward includes pass") {
  CHECK(check("core/a.cpp", including("core/b.hpp") + "#include <vector>\n").empty());
  CHECK(check("models/a.cpp", including("core/b.hpp")).empty());
  CHECK(check("placement/a.cpp", including("placement/b.hpp")).empty());
  CHECK(check("benchmarks/programs/launch/a.cpp", including("report/b.hpp")).empty());
  CHECK(check("driver/a.cpp", including("driver/campaign/b.hpp")).empty());
}

TEST_CASE("planted upward and sideways includes are caught") {
  struct Case {
    const char* path;
    const char* header;
    const char* why;
  };
  for (const Case& planted :
       {Case{"core/a.cpp", "models/b.hpp", "core must not depend on models"},
        Case{"core/a.cpp", "placement/b.hpp", "core must not depend on placement"},
        Case{"models/a.cpp", "placement/b.hpp", "models must not depend on placement"},
        Case{"driver/campaign/a.cpp", "models/b.hpp", "driver/campaign must not depend on models"},
        Case{"report/a.cpp", "driver/campaign/b.hpp", "report must not depend on driver/campaign"},
        Case{"report/a.cpp", "components/health/report/b.hpp",
             "report must not depend on components/health/report"},
        Case{"benchmarks/engine/a.cpp", "benchmarks/harness/b.hpp",
             "benchmarks/engine must not depend on benchmarks/harness"},
        Case{"benchmarks/operations/a.cpp", "placement/b.hpp",
             "benchmarks/operations must not depend on placement"},
        Case{"benchmarks/programs/a.cpp", "benchmarks/engine/b.hpp",
             "benchmarks/programs must not depend on benchmarks/engine"},
        Case{"driver/a.cpp", "benchmarks/engine/b.hpp",
             "driver must not depend on benchmarks/engine"},
        Case{"core/a.cpp", "b.hpp", "no path from the root into a known folder"},
        Case{"core/a.cpp", "../models/b.hpp", "no path from the root into a known folder"},
        Case{"core/a.cpp", "tests/support/b.hpp", "no path from the root into a known folder"}}) {
    CHECK(check(planted.path, "\n" + including(planted.header)) ==
          Texts{std::string(planted.path) + ":2: " + planted.why});
  }
  // Angle brackets do not help.
  CHECK(check("core/a.cpp", "#include <models/b.hpp>\n") ==
        Texts{"core/a.cpp:1: core must not depend on models"});
}

TEST_CASE("planted foreign headers are caught, quoted or not") {
  CHECK(check("core/a.cpp", "#include <mpi.h>\n") ==
        Texts{"core/a.cpp:1: <mpi.h> does not belong here"});
  CHECK(check("core/a.cpp", including("mpi.h")).size() == 1);
  CHECK(check("benchmarks/engine/a.cpp", "#include <mpi.h>\n").size() == 1);
  CHECK(check("benchmarks/harness/a.cpp", "#include <mpi.h>\n").empty());
  CHECK(check("placement/plan.cpp", "#include <hwloc.h>\n").size() == 1);
  CHECK(check("placement/plan.cpp", "#include <hwloc/helper.h>\n").size() == 1);
  CHECK(check("placement/machine.cpp", "#include <hwloc.h>\n").empty());
  CHECK(check("models/a.cpp", "#include <CLI/CLI.hpp>\n").size() == 1);
  CHECK(check("benchmarks/harness/a.cpp", "#include <CLI/CLI.hpp>\n").size() == 1);
  CHECK(check("driver/a.cpp", "#include <CLI/CLI.hpp>\n").size() == 1);
  CHECK(check("core/cli/a.cpp", "#include <CLI/CLI.hpp>\n").empty());
}

TEST_CASE("a folder without a rule is caught") {
  CHECK(check("utils/a.cpp", "") == Texts{"utils/a.cpp: its folder has no rule"});
  CHECK(check("benchmarks/a.cpp", "") == Texts{"benchmarks/a.cpp: its folder has no rule"});
  CHECK(check("corelike/a.cpp", "") == Texts{"corelike/a.cpp: its folder has no rule"});
}

TEST_CASE("a header without pragma once is caught") {
  CHECK(check("core/a.hpp", "#pragma once\n").empty());
  CHECK(check("core/a.hpp", "int x;\n") == Texts{"core/a.hpp: does not begin with #pragma once"});
  CHECK(check("core/a.cpp", "int x;\n").empty());
}

TEST_CASE("violations are found in a tree on the disk") {
  const hockney::TemporaryFolder root;
  root.write("core/deep/a.cpp", including("models/b.hpp"));
  root.write("core/notes.txt", including("models/b.hpp"));
  root.write("tests/core/a.cpp", including("models/b.hpp"));
  root.write("build/x/a.cpp", including("models/b.hpp"));
  root.write(".git/a.cpp", including("models/b.hpp"));
  root.write("new/a.cpp", "");
  Texts found = violations_of(house_rules(), product_files(root.path()));
  std::ranges::sort(found);
  CHECK(found == Texts{"core/deep/a.cpp:1: core must not depend on models",
                       "new/a.cpp: its folder has no rule"});
}

TEST_CASE("a .cpp includes the header of its name first") {
  const std::string header = "#pragma once\n";
  const auto check_files = [&](const std::string& text) {
    return violations_of(house_rules(), Files{{"core/a.hpp", header}, {"core/a.cpp", text}});
  };
  CHECK(check_files(including("core/a.hpp") + "#include <vector>\n").empty());
  const Texts late{"core/a.cpp: does not include core/a.hpp first"};
  CHECK(check_files("#include <vector>\n" + including("core/a.hpp")) == late);
  CHECK(check_files("") == late);
  CHECK(violations_of(house_rules(), Files{{"core/b.cpp", "#include <vector>\n"}}).empty());
}

TEST_CASE("a file that opens the namespace of another room is caught") {
  const auto opening = [](const std::string& name) {
    return "int outside;\nnamespace " + name + " {\n\nnamespace {\n}\n}\n";
  };
  CHECK(check("core/cli/a.cpp", opening("hockney")).empty());
  CHECK(check("components/health/history/a.cpp", opening("hockney::health")).empty());
  CHECK(check("components/health/history/a.cpp", opening("hockney::health::detail")).empty());
  CHECK(check("models/a.cpp", opening("hockney::models")).empty());
  CHECK(check("models/schedules/a.cpp", opening("hockney::schedules")).empty());
  CHECK(check("models/schedules/a.cpp", opening("SQLite")).empty());
  CHECK(check("components/health/history/a.cpp", opening("hockney")) ==
        Texts{"components/health/history/a.cpp: opens hockney, its room is hockney::health"});
  CHECK(check("models/a.cpp", opening("hockney::models") + opening("hockney::modelling")) ==
        Texts{"models/a.cpp: opens hockney::modelling, its room is hockney::models"});
  CHECK(check("benchmarks/harness/a.cpp", opening("hockney::harness")) ==
        Texts{"benchmarks/harness/a.cpp: opens hockney::harness, its room is hockney::benchmarks"});
}

TEST_CASE("a type that two files define in one namespace is caught") {
  const std::string ring = "namespace hockney::a {\n\nclass Ring {\n};\n}\n";
  const std::string derived =
      "namespace hockney::a {\n\nstruct Ring final : public Base {\n};\n}\n";
  const std::string elsewhere = "namespace hockney::b {\n\nclass Ring {\n};\n}\n";
  const std::string declared = "namespace hockney::a {\n\nclass Ring;\n}\n";
  const std::string own =
      "namespace hockney::a {\nnamespace {\n\nclass Ring {\n};\n\n}  // namespace\n}\n";
  CHECK(doubled_types({{"x/one.hpp", ring}, {"y/two.cpp", derived}}) ==
        Texts{"y/two.cpp: hockney::a::Ring is in x/one.hpp"});
  const std::string twice = "namespace {\nint a;\n}  // namespace\n" + own;
  // What specialises a template of another namespace is no type of ours.
  const std::string other = "namespace hockney::a {\n\nstruct library::serializer<Ring> {\n};\n}\n";
  for (const std::string& harmless : {elsewhere, declared, own, twice, other}) {
    CHECK(doubled_types({{"x/one.hpp", ring}, {"y/two.cpp", harmless}}).empty());
  }
}
