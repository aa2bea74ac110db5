#include "components/application/page/profile_page.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "components/application/screens/time_line_views.hpp"
#include "core/json_values.hpp"
#include "tests/support/profile_view.hpp"
#include "tests/support/scripted_trace.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::report {
namespace {

using applications::microsecond;
using Json = nlohmann::json;

const std::string show = "hockney profile show p.json";

/// Ranks 0 and 1 on one node, 2 and 3 on the other; rank 0 computes twice as long as the others.
SyntheticProgram two_nodes() {
  SyntheticProgram program(4, 2);
  program.time(0, 8, 2).time(1, 4, 6).time(2, 4, 6).time(3, 4, 6);
  program.send(0, 1, 100, 5).send(1, 2, 4000, 3).send(3, 0, 8, 1);
  return program.calls("MPI_Waitall", 20, 0, 16).calls("MPI_Allreduce", 40, 8, 4);
}

Json document_of(const SyntheticProgram& program) {
  return page_of(view_of(program.profile(), "p.json"), show).documents.front().document;
}

std::int64_t bytes_in(const Json& matrix) {
  std::int64_t bytes = 0;
  for (const Json& cell : matrix) bytes += cell.at("bytes").get<std::int64_t>();
  return bytes;
}

}  // namespace

TEST_CASE("the page of a program has the document of --json with its summary") {
  const ProfileView view = view_of(two_nodes().profile(), "p.json");
  const Page page = page_of(view, show);
  CHECK(page.title == "Profile of poisson 3600");
  CHECK(page.made_by == "hockney profile show p.json --page page.html");
  REQUIRE(page.documents.size() == 1);
  CHECK(page.documents.front().name == "profile");
  CHECK(page.documents.front().document == with_summary(to_json(view), screen_of(view)));
  CHECK(page.binaries.empty());
}

TEST_CASE("a finding in the document has its sentence and what would help") {
  const Json findings = document_of(two_nodes()).at("findings");
  REQUIRE_FALSE(findings.empty());
  CHECK_THAT(findings[0].at("sentence").get<std::string>(), Catch::StartsWith("Rank 0 computes"));
  CHECK_FALSE(findings[0].at("help").get<std::string>().empty());
}

TEST_CASE("a matrix too large for a page has ranks in a row together, and loses nothing") {
  SyntheticProgram program(160);
  program.all_to_all(8).every_time(1, 1);
  const Json whole = to_json(view_of(program.profile(), "p.json"));
  const Json document = document_of(program);
  CHECK(document.at("matrix_block") == 2);
  CHECK(document.at("matrix").size() == 80 * 80);
  CHECK(bytes_in(document.at("matrix")) == bytes_in(whole.at("matrix")));
  CHECK_FALSE(document_of(two_nodes()).contains("matrix_block"));
}

TEST_CASE("with a log the page has time lines with names of nodes and lengths in nanoseconds") {
  applications::ScriptedTrace script(2, 1);
  script.computes(0, 40).receives(0, 1, 800).takes(30);
  script.computes(1, 60).sends(1, 0, 800).takes(10);
  const applications::TraceAnalysis run = script.analysis();
  const ProfileView view =
      view_of(two_nodes().profile(), "p.json", {}, &run, applications::LogDetail::levels);
  const Page page = page_of(view, show);
  REQUIRE(page.binaries.size() == 1);
  CHECK(page.binaries.front().name == "timeline");
  const std::string& bytes = page.binaries.front().bytes;
  const auto end = bytes.find('\n');
  const Json head = Json::parse(bytes.substr(0, end));
  CHECK(head.at("nanoseconds") == 70'000);
  CHECK(head.at("hosts") == Json({"n0", "n1"}));
  CHECK(head.at("windows") == Json::parse("[[0, 70001]]"));
  CHECK(head.at("functions") == Json::parse(R"([["MPI_Recv", 2], ["MPI_Send", 2]])"));
  CHECK(bytes.substr(end + 1) == view.report.lines->levels->bytes);
}

TEST_CASE("numbers of a page are base64 in a script element") {
  const auto written = [](const std::string& bytes) {
    Page page{.title = "x", .made_by = "y", .documents = {}, .binaries = {{"numbers", bytes}}};
    std::ostringstream out;
    write_page(out, page, {.texts = {"1"}, .missing = {}});
    const std::string begin = "class=\"binary\" data-name=\"numbers\">";
    const auto from = out.str().find(begin) + begin.size();
    return out.str().substr(from, out.str().find('<', from) - from);
  };
  CHECK(written("") == "");
  CHECK(written("f") == "Zg==");  // RFC 4648, 10
  CHECK(written("fo") == "Zm8=");
  CHECK(written("foo") == "Zm9v");
  CHECK(written(std::string("\xff\0\x80", 3)) == "/wCA");
}

TEST_CASE("a mapping has the messages between nodes before and after") {
  SyntheticProgram program(8, 2);
  program.halo({.sizes = {4, 2}, .bytes = {1000, 10}, .messages = 1});
  program.place([](int rank) { return rank % 4; }).every_time(1, 1);
  const MappingView view = mapping_view_of(program.profile(), "p.json");
  const Json document = page_of(view).documents.front().document;
  const auto between = [&](const char* key) {
    std::int64_t bytes = 0;
    for (const Json& cell : document.at(key)) {
      if (cell.at("from") != cell.at("to")) bytes += cell.at("bytes").get<std::int64_t>();
    }
    return bytes;
  };
  CHECK(bytes_in(document.at("node_matrix_before")) == bytes_in(document.at("node_matrix_after")));
  CHECK(between("node_matrix_before") == document.at("message_bytes_before"));
  CHECK(between("node_matrix_after") == document.at("message_bytes_after"));
}

TEST_CASE("hostile names of hosts, functions and places are text") {
  const std::string hostile = "</script><script>alert(1)</script>\xE2\x80\xAE";
  const SyntheticProgram program = two_nodes().with([&](profile::Profile& all) {
    all.provenance.command_line = {hostile};
    all.ranks[0].host = all.sites[0].function = all.sites[0].module = hostile;
    all.calls.front().call = hostile;
    all.notes = {hostile};
  });
  std::ostringstream out;
  write_page(out, page_of(view_of(program.profile(), "p.json"), show),
             {.texts = {"1"}, .missing = {}});
  CHECK(out.str().find("<script>") == std::string::npos);
  CHECK(out.str().find("\xE2\x80\xAE") == std::string::npos);
}

}  // namespace hockney::report
