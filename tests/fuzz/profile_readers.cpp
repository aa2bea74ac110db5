#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/application/profile/event_log.hpp"
#include "components/application/profile/merge.hpp"
#include "components/application/profile/profile_file.hpp"
#include "components/application/screens/profile_report.hpp"
#include "core/json_values.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/fuzz/trials.hpp"
#include "tests/support/logged_events.hpp"

namespace hockney::fuzz {

void profile_of_program(const std::string& bytes) {
  const auto read = [](const std::string& text) {
    return read_value<profile::Profile>(parse_json(text, "f"));
  };
  come_back(bytes, read, [](const profile::Profile& one) { return nlohmann::json(one).dump(); });
  takes([&] {
    const report::ProfileView view{.report = applications::analyse(read(bytes)), .file = "f"};
    std::ostringstream out;
    out << to_json(view);
    print_screen(out, screen_of(view));
    print_profile_tables(out, view);
    print_mpip_report(out, view);
  });
}

namespace {

std::string written(const profile::Part& part) {
  const profile::PartPieces pieces{.facts = part.facts,
                                   .letters = part.letters,
                                   .calls = part.calls,
                                   .messages = part.messages,
                                   .communicators = part.communicators,
                                   .sites = part.sites,
                                   .regions = part.regions,
                                   .cpu = part.cpu,
                                   .log = part.log,
                                   .stacks = part.stacks,
                                   .frames = part.frames,
                                   .modules = part.modules};
  profile::PartHeader header = part.header;
  pieces.count_in(header);
  std::string bytes(header.header_bytes, '\0');  // fewer in older versions
  std::memcpy(bytes.data(), &header, bytes.size());
  for (const auto piece : pieces.bytes()) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  return bytes;
}

}  // namespace

void profile_part(const std::string& bytes) {
  std::vector<profile::Part> parts;
  if (!takes([&] { parts = profile::read_parts(bytes, "f"); })) return;
  std::string again;
  for (const profile::Part& part : parts) again += written(part);
  if (again != bytes) throw std::logic_error("written again the parts are others");
  for (const profile::Part& part : parts) {
    takes([&] { static_cast<void>(profile::events_of(part, "f")); });
  }
  if (parts.empty()) return;
  profile::Profile merged;
  if (!takes([&] { merged = profile::merge(parts); })) return;
  // A part with wrong numbers makes a profile that is refused.
  takes([&] { read_value<profile::Profile>(parse_json(json_text(nlohmann::json(merged)), "f")); });
}

}  // namespace hockney::fuzz
