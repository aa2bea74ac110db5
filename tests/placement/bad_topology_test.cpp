#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, gone at the end of the scope.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("hockney-topology-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(Folder&&) = delete;
  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] std::string write(const std::string& name, const std::string& content) const {
    const std::string file = path_ / name;
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }
  [[nodiscard]] std::string path() const { return path_; }

 private:
  fs::path path_;
};

/// What `action` writes to stderr, below the level of C++ streams.
std::string stderr_of(const Folder& folder, const std::function<void()>& action) {
  const std::string file = folder.path() + "/stderr";
  const int kept = ::dup(STDERR_FILENO);
  const int target = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(target, STDERR_FILENO);
  action();
  ::dup2(kept, STDERR_FILENO);
  ::close(target);
  ::close(kept);
  return read_file(file);
}

/// Reading must fail with exit code 2, in one line that holds `words`, and hwloc must keep silent.
void check_refused(const Folder& folder, const std::function<void()>& read,
                   const std::string& words) {
  std::string line;
  ExitCode code = ExitCode::good;
  const std::string chatter = stderr_of(folder, [&] {
    try {
      read();
    } catch (const Error& error) {
      line = error.what();
      code = error.code();
    }
  });
  CHECK(code == ExitCode::bad_input);
  CHECK_THAT(line, Catch::Contains(words));
  CHECK(line.find('\n') == std::string::npos);
  CHECK(chatter.empty());
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("XML files that are no topology are refused in one line") {
  const Folder folder;
  const std::string good =
      read_file(HOCKNEY_SOURCE_DIR "/tests/fixtures/topologies/xeon-interleaved.xml");
  struct Case {
    std::string name;
    std::string content;
    std::string words;
  };
  const std::vector<Case> cases{
      {"empty.xml", "", "no whole hwloc XML document"},
      {"junk.xml", "hello\n", "no whole hwloc XML document"},
      {"json.xml", R"({"schema": "hockney.topology/1"})", "no whole hwloc XML document"},
      {"html.xml", "<?xml version=\"1.0\"?><html/>", "no whole hwloc XML document"},
      {"hollow.xml", "<?xml version=\"1.0\"?><topology version=\"2.0\"></topology>",
       "no whole hwloc XML document"},
      {"truncated.xml", good.substr(0, good.size() / 2), "no whole hwloc XML document"},
      {"unknown-type.xml", replaced(good, "type=\"Core\"", "type=\"Cord\""),
       "no whole hwloc XML document"},
      {"half-set.xml", replaced(good, " complete_cpuset=\"0x00000101\"", ""),
       "no whole hwloc XML document"},
      {"binary.xml", std::string("\0\1\2\xff", 4), "no whole hwloc XML document"},
      {"newer.xml", replaced(good, "<topology version=\"2.0\"", "<topology version=\"3.0\""),
       "format 3, hwloc here knows up to 2) write it with: lstopo --export-xml-flags v2"},
      {"twice.xml", replaced(good, "type=\"PU\" os_index=\"3\"", "type=\"PU\" os_index=\"1\""),
       "contradicts itself about CPU 1"},
      {"word.xml", replaced(good, "type=\"PU\" os_index=\"3\"", "type=\"PU\" os_index=\"three\""),
       "contradicts itself about CPU 0"},
      {"huge.xml", replaced(good, "type=\"PU\" os_index=\"3\"", "type=\"PU\" os_index=\"9000\""),
       "numbers a CPU 9000"},
      {"none-allowed.xml",
       replaced(good, "allowed_cpuset=\"0x0000ffff\"", "allowed_cpuset=\"0x0\""),
       "the list of allowed CPUs is empty"},
  };
  for (const Case& bad : cases) {
    INFO(bad.name);
    const std::string file = folder.write(bad.name, bad.content);
    check_refused(
        folder, [&] { read_xml_topology(file); }, bad.words);
    check_refused(
        folder, [&] { read_xml_topology(file); }, bad.name);
  }
}

TEST_CASE("XML files that cannot be read are refused in one line") {
  const Folder folder;
  const std::string missing = folder.path() + "/missing.xml";
  check_refused(
      folder, [&] { read_xml_topology(missing); }, "No such file");
  check_refused(
      folder, [&] { read_xml_topology(folder.path()); }, "it is a folder");
  check_refused(
      folder, [&] { read_xml_topology(""); }, "cannot read ''");
}

TEST_CASE("synthetic texts that describe no machine are refused in one line") {
  const Folder folder;
  for (const char* text : {"", " ", "nonsense", "pack:2 nonsense:3", "pack:2 core", "pack:0 pu:1",
                           "pack:2 core:2", "pu:3 core:2", "core:2 pu:-1", "pack:2 core:two",
                           "pu:4(indexes=0,2", "pack:2 pack:2 pu:1"}) {
    INFO("'" << text << "'");
    check_refused(
        folder, [&] { read_synthetic_topology(text); }, "describes no machine");
  }
  struct Case {
    std::string text;
    std::string words;
  };
  const std::vector<Case> cases{
      {"pu:8193", "more than 8192 PUs"},
      {"pack:1000 core:1000 pu:1000", "more than 8192 PUs"},
      {"pu:99999999999999999999", "more than 8192 PUs"},
      {"pu:4(indexes=0,0,1,1)", "one number to several PUs"},
      {"pu:2(indexes=0,9000)", "numbers a CPU 9000"},
  };
  for (const Case& bad : cases) {
    INFO(bad.text);
    check_refused(
        folder, [&] { read_synthetic_topology(bad.text); }, bad.words);
  }
}

}  // namespace
}  // namespace hockney::placement
