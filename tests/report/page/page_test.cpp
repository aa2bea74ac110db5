#include <catch2/catch.hpp>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"
#include "report/page/page.hpp"
#include "report/page/records_page.hpp"
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

/// Whatever a record can hold of others is hostile.
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

}  // namespace

TEST_CASE("a document in a page reads back as it was") {
  const nlohmann::json document{{"name", hostile}, {"number", 0.1}};
  const std::string text = html_json(document);
  CHECK(text.find('<') == std::string::npos);
  CHECK(text.find('>') == std::string::npos);
  CHECK(parse_json(text, "page").json() == document);
}

TEST_CASE("hostile names end up as text") {
  RecordFolders folder(hostile, hostile_records());
  const Page page = page_of(folder);
  REQUIRE(page.pictures.size() >= 3);
  const std::string html = written(page, some_scripts);
  CHECK(html.find("<script>") == std::string::npos);
  CHECK(html.find("<img") == std::string::npos);
  CHECK(html.find("<!--") == std::string::npos);
  CHECK(html.find("\xE2\x80\xAE") == std::string::npos);
  // Its own elements and nothing else: documents, plots, their theme, one script and the page's.
  const std::size_t data = page.documents.size() + page.pictures.size() + 1;
  CHECK(count(html, "<script") == data + 2);
  CHECK(count(html, "</script") == data + 2);
}

TEST_CASE("the policy of a page forbids all but its own scripts and style") {
  RecordFolders folder("x", ping_pongs(6));
  const std::string html = written(page_of(folder), some_scripts);
  const std::string begin = "script-src 'nonce-";
  const auto from = html.find(begin) + begin.size();
  const std::string nonce = html.substr(from, html.find('\'', from) - from);
  CHECK(nonce.size() == 36);
  CHECK(html.find("content=\"default-src 'none'; script-src 'nonce-" + nonce +
                  "'; style-src 'nonce-" + nonce +
                  "'; img-src data:; base-uri 'none'; form-action 'none'\"") != std::string::npos);
  CHECK(count(html, "<script nonce=\"" + nonce + "\">") == 2);
  CHECK(count(html, " src=") == 0);
  CHECK(count(html, "<link") == 0);
  CHECK(html.find(" style=") == std::string::npos);
  // Another content has another nonce.
  RecordFolders other("y", ping_pongs(6));
  CHECK(written(page_of(other), some_scripts).find(nonce) == std::string::npos);
}

TEST_CASE("sentences of the answer are parted, rows of its table are not") {
  std::string sentence = "word";
  for (int i = 0; i < 40; ++i) sentence += " word";
  const std::string row = "name  " + std::string(150, '1');
  const std::string html =
      written({.title = "x", .screen = {.answer = {sentence, row}, .verdict = "v"}}, no_scripts);
  CHECK(html.find(sentence) == std::string::npos);
  CHECK(html.find(sentence.substr(0, 89) + "\n") != std::string::npos);
  CHECK(html.find(row) != std::string::npos);
}

TEST_CASE("without scripts every table is there, and how to get the plots") {
  RecordFolders folder("x", ping_pongs(6));
  const Page page = page_of(folder);
  const std::string html = written(page, no_scripts);
  CHECK(count(html, "<p class=\"missing\">Without plots: built without scripts</p>") == 1);
  CHECK(count(html, "<details open>") == page.pictures.size());
  CHECK(count(html, "class=\"plot\"") == 0);
  CHECK(html.find("id=\"plot-") == std::string::npos);
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
