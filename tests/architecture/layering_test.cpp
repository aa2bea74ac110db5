#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "tests/architecture/tree.hpp"

using namespace hockney::architecture;
using Texts = std::vector<std::string>;

TEST_CASE("the tree obeys the rules") {
  const std::vector<SourceFile> files = product_files(HOCKNEY_SOURCE_DIR);
  CHECK(violations_of(house_rules(), files) == Texts{});
}

TEST_CASE("clang-tidy reads the headers of every folder of the product") {
  std::ifstream in(std::string(HOCKNEY_SOURCE_DIR) + "/.clang-tidy");
  const std::string settings{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::smatch filter;
  REQUIRE(std::regex_search(settings, filter, std::regex("HeaderFilterRegex: '([^']+)'")));
  const std::regex read(filter.str(1));
  std::set<std::string> left_out;
  for (const SourceFile& file : product_files(HOCKNEY_SOURCE_DIR)) {
    if (!std::regex_search("/" + file.path, read)) {
      left_out.insert(file.path.substr(0, file.path.find('/')));
    }
  }
  CHECK(left_out.empty());
}

TEST_CASE("tests stand in the namespace of the room that they try") {
  Texts found;
  for (const SourceFile& file : product_files(HOCKNEY_SOURCE_DIR "/tests")) {
    std::ranges::copy(namespace_violations(house_rules(), file), std::back_inserter(found));
  }
  CHECK(found == Texts{});
}

TEST_CASE("every rule is about files that exist") {
  const std::vector<SourceFile> files = product_files(HOCKNEY_SOURCE_DIR);
  const Rules rules = house_rules();
  for (const FolderRule& rule : rules.folders) {
    CAPTURE(rule.folder);
    CHECK(std::ranges::any_of(files, [&](const SourceFile& file) {
      return rule_of(rules, file.path)->folder == rule.folder;
    }));
    for (const std::string& target : rule.may_include) {
      CAPTURE(target);
      CHECK(std::ranges::find(rules.folders, target, &FolderRule::folder) != rules.folders.end());
    }
  }
  for (const ForeignRule& rule : rules.foreign) {
    for (const std::string& place : rule.only_in) {
      CAPTURE(place);
      CHECK(std::ranges::any_of(files,
                                [&](const SourceFile& file) { return lies_in(file.path, place); }));
    }
  }
}

TEST_CASE("the suite stands without its components") {
  const auto component_of = [](const std::string& folder) {
    const std::string components = "components/";
    if (!folder.starts_with(components)) return std::string();
    const std::string inside = folder.substr(components.size());
    return inside.substr(0, inside.find('/'));
  };
  for (const FolderRule& rule : house_rules().folders) {
    for (const std::string& target : rule.may_include) {
      CAPTURE(rule.folder, target);
      const std::string component = component_of(target);
      const bool may = component.empty() || component == component_of(rule.folder) ||
                       (component == "tune" && component_of(rule.folder) == "application");
      CHECK(may);
    }
  }
}

TEST_CASE("folders depend downward only") {
  // A rule may name only folders that can be drawn below its own: no circle, by peeling.
  std::vector<FolderRule> left = house_rules().folders;
  const auto depends_on_left = [&](const FolderRule& rule) {
    return std::ranges::any_of(rule.may_include, [&](const std::string& target) {
      return std::ranges::find(left, target, &FolderRule::folder) != left.end();
    });
  };
  for (std::size_t before = left.size() + 1; left.size() < before;) {
    before = left.size();
    std::vector<FolderRule> higher;
    std::ranges::copy_if(left, std::back_inserter(higher), depends_on_left);
    left = higher;
  }
  CHECK(left.empty());
}
