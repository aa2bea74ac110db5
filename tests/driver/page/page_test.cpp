#include <catch2/catch.hpp>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "driver/page/records_page.hpp"
#include "report/page/page.hpp"
#include "tests/support/embedded_documents.hpp"
#include "tests/support/page_records.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::report {
namespace {

const std::string hostile =
    "</script><script>alert(1)</script><img src=x onerror=\"alert('2')\">&\n\xE2\x80\xAE"
    "lmth.<!--";

std::string written(const Page& page, const PageScripts& scripts) {
  std::ostringstream out;
  write_page(out, page, scripts);
  return out.str();
}

const PageScripts no_scripts{.texts = {}, .missing = "built without scripts"};
const PageScripts some_scripts{.texts = {"var vega;"}, .missing = {}};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Every text of these records that comes from elsewhere is hostile.
std::vector<Record> hostile_records() {
  std::vector<Record> records = ping_pongs(6, 1, hostile);
  const std::vector<Record> more = ping_pongs(6, 2, "default");
  records.insert(records.end(), more.begin(), more.end());
  for (Record& record : records) {
    record.campaign->name = hostile;
    record.provenance.mpi.library = hostile;
    record.provenance.hosts = {{.name = hostile, .cpu_model = hostile}};
    for (PlannedPoint& planned : record.points.own()) planned.point.hop = hostile;
    for (Series& series : record.series) series.point.hop = hostile;
  }
  return records;
}

nlohmann::json read_back(const nlohmann::json& document) {
  return unpacked(nlohmann::json::parse(html_json(document)));
}

}  // namespace

TEST_CASE("a document in a page reads back as it was") {
  const nlohmann::json row{{"a", 0.1}, {"b", hostile}, {"c", {1, 2}}, {"same", 5}};
  nlohmann::json other = row;
  other["a"] = nullptr;
  nlohmann::json nested = row;
  nested["c"] = nlohmann::json::array({row, other, row});
  const std::vector<nlohmann::json> documents{
      {{"name", hostile}, {"number", 0.1}},
      {{"rows", {row, other, row}}},
      {{"rows", {row, row, row}}},
      {{"rows", {row, other}}},
      {{"rows", {row, other, {{"a", 1}}}}},
      {{"rows", nlohmann::json::array({nested, row, nested})}},
      {{"rows", {nlohmann::json::object(), nlohmann::json::object(), nlohmann::json::object()}}},
      {{"rows", nlohmann::json::array()}, {"mixed", {1, "2", nullptr}}}};
  for (const nlohmann::json& document : documents) {
    const std::string text = html_json(document);
    CAPTURE(text);
    CHECK(text.find('<') == std::string::npos);
    CHECK(text.find('>') == std::string::npos);
    CHECK(read_back(document) == document);
  }
}

TEST_CASE("rows of equal keys have their keys and what they share once") {
  nlohmann::json rows = nlohmann::json::array();
  for (int i = 0; i < 100; ++i) rows.push_back({{"number", i}, {"name", "the same"}});
  const std::string text = html_json({{"rows", rows}});
  CHECK(count(text, "the same") == 1);
  CHECK(count(text, "number") == 1);
}

TEST_CASE("no text of a record can end its script or begin another element") {
  Results folder(hostile_records(), hostile);
  const Page page = page_of(folder);
  const std::string html = written(page, some_scripts);
  CHECK(html.find("<script>alert") == std::string::npos);
  CHECK(html.find("<img") == std::string::npos);
  CHECK(html.find("<!--") == std::string::npos);
  CHECK(html.find("</script><script>alert") == std::string::npos);
  // Its documents, one library and its own script.
  CHECK(count(html, "<script") == page.documents.size() + 2);
  CHECK(count(html, "</script") == page.documents.size() + 2);
  // Outside its documents nothing turns the direction of text.
  CHECK(html.substr(0, html.find("<script")).find("\xE2\x80\xAE") == std::string::npos);
}

TEST_CASE("the policy of a page forbids all but its own scripts and style") {
  Results folder(ping_pongs(6), "x");
  const std::string html = written(page_of(folder), some_scripts);
  const std::string begin = "script-src 'nonce-";
  const auto from = html.find(begin) + begin.size();
  const std::string nonce = html.substr(from, html.find('\'', from) - from);
  CHECK(nonce.size() == 36);
  CHECK(html.find("content=\"default-src 'none'; script-src 'nonce-" + nonce +
                  "'; style-src 'nonce-" + nonce +
                  "'; img-src data: blob:; base-uri 'none'; form-action 'none'\"") !=
        std::string::npos);
  CHECK(count(html, "<script nonce=\"" + nonce + "\">") == 2);
  const std::string markup = html.substr(0, html.find("<script"));
  CHECK(count(markup, " src=") == 0);
  CHECK(count(markup, "<link") == 0);
  CHECK(count(markup, " style=") == 0);
  // Another content has another nonce.
  Results other(ping_pongs(6), "y");
  CHECK(written(page_of(other), some_scripts).find(nonce) == std::string::npos);
}

TEST_CASE("without scripts a page says how to get the plots, and has its documents") {
  Results folder(ping_pongs(6), "x");
  const Page page = page_of(folder);
  const std::string html = written(page, no_scripts);
  CHECK(count(html, "<p class=\"missing\">Without plots: built without scripts</p>") == 1);
  CHECK(count(html, "class=\"document\"") == page.documents.size());
  CHECK(count(html, "<noscript>") == 1);
}

TEST_CASE("scripts are those of a folder, and none is missing or ends its element") {
  const TemporaryFolder folder;
  const auto file = [&](const std::string& name) { return folder.path() + "/" + name; };
  CHECK_THROWS_AS(load_page_scripts(folder.path()), InputError);
  CHECK(find_page_scripts({folder.path()}).texts.empty());
  CHECK_FALSE(find_page_scripts({folder.path()}).missing.empty());
  write_atomically(file("vega.min.js"), "1");
  CHECK_THROWS_WITH(load_page_scripts(folder.path()), Catch::Contains("vega-lite.min.js"));
  write_atomically(file("vega-lite.min.js"), "2");
  write_atomically(file("vega-embed.min.js"), "3");
  CHECK(load_page_scripts(folder.path()).texts == std::vector<std::string>{"1", "2", "3"});
  CHECK(find_page_scripts({"/nowhere", folder.path()}).missing.empty());
  write_atomically(file("vega-embed.min.js"), "'</script>'");
  CHECK_THROWS_WITH(load_page_scripts(folder.path()), Catch::Contains("cannot be put into a page"));
}

}  // namespace hockney::report
