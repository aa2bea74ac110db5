#include "tests/architecture/unnamed.hpp"

#include <catch2/catch.hpp>

#include "tests/architecture/tree.hpp"

using namespace hockney::architecture;
using Texts = std::vector<std::string>;

namespace {

std::string unnamed(const std::string& text) {
  return "namespace hockney {\nnamespace {\n\n" + text +
         "\n}  // namespace\nint outside(int a) {}\n}  // namespace hockney\n";
}

}  // namespace

TEST_CASE("what a file defines for itself is found however it is spelt") {
  const std::string text = unnamed(
      "struct Gathered {\n  int inside(int x) { return x; }\n};\n\n"
      "using Json = nlohmann::json;\n\n"
      "constexpr int width = 9;\nconst std::map<int, Text> words{\n    {1, a}};\n\n"
      "/// Says so.\n"
      "std::vector<std::string> texts_of(const std::map<int, double>& all,\n"
      "                                  std::size_t most = 3) {\n  int local = 3;\n}\n\n"
      "[[noreturn]] void reject(std::string_view) {\n}\n"
      "template <class T>\nT* first(T* begin) {\n}\n"
      "void declared(int);\n");
  CHECK(unnamed_definitions(text) == Texts{"Gathered", "width", "words",
                                           "texts_of(const std::map<int, double>&,std::size_t,)",
                                           "reject(std::string_view,)", "first(T*,)"});
  CHECK(unnamed_definitions("int outside(int a) {}\n").empty());
}

TEST_CASE("the same definition in two files of a folder is caught, an overload is not") {
  const std::string one = unnamed("void add(Block& block, int a) {\n}\n");
  const std::string same = unnamed("void add(Block& other,\n         int b) {\n}\n");
  const std::string overload = unnamed("void add(Pair& pair, int a) {\n}\n");
  CHECK(doubled_definitions({{"core/a.cpp", one}, {"core/b.cpp", same}}) ==
        Texts{"core/b.cpp: add(Block&,int,) is in core/a.cpp"});
  CHECK(doubled_definitions({{"core/a.cpp", one}, {"core/b.cpp", overload}}).empty());
  CHECK(doubled_definitions({{"core/a.cpp", one}, {"models/b.cpp", same}}).empty());
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
  for (const std::string& other : {elsewhere, declared, own}) {
    CHECK(doubled_types({{"x/one.hpp", ring}, {"y/two.cpp", other}}).empty());
  }
  CHECK(doubled_types(product_files(HOCKNEY_SOURCE_DIR)) == Texts{});
}

TEST_CASE("no two files of a folder define the same, so that they compile together") {
  std::vector<SourceFile> files = product_files(HOCKNEY_SOURCE_DIR);
  // Functions there have the names of the algorithms, in a file for each operation.
  std::erase_if(files,
                [](const SourceFile& file) { return file.path.starts_with("models/schedules/"); });
  CHECK(doubled_definitions(files) == Texts{});
  std::vector<SourceFile> tests = product_files(HOCKNEY_SOURCE_DIR "/tests");
  // Every study there is a program of its own.
  std::erase_if(tests, [](const SourceFile& file) {
    return file.path.rfind("benchmarks/", 0) == 0 && file.path.find('/', 11) == std::string::npos;
  });
  CHECK(doubled_definitions(tests) == Texts{});
}
