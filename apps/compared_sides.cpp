#include "apps/compared_sides.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/error.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

namespace fs = std::filesystem;

/// PATH or PATH:SETTING; what exists is a path, whatever is in its name.
Side parse_side(const std::string& name) {
  std::error_code unreachable;
  const std::size_t colon = name.rfind(':');
  if (fs::exists(name, unreachable) || colon == std::string::npos) return {name, name, {}, {}};
  return {name, name.substr(0, colon), name.substr(colon + 1), {}};
}

std::string setting_of(const Record& record) {
  return record.campaign ? record.campaign->setting : std::string();
}

/// The different texts that complete launches have.
template <class Text>
std::vector<std::string> distinct(const std::vector<Record>& records, Text text_of) {
  std::set<std::string> texts;
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete) texts.insert(text_of(record));
  }
  return {texts.begin(), texts.end()};
}

void keep_setting(Side& side) {
  const std::vector<std::string> settings = distinct(side.records, setting_of);
  if (side.setting.empty()) {
    if (settings.size() <= 1) return;
    throw InputError({"'" + side.name + "' holds the settings " + join(settings),
                      "a comparison has one on each side",
                      "write " + side.path + ":" + settings.front()});
  }
  if (std::ranges::find(settings, side.setting) == settings.end()) {
    throw InputError({"unknown setting '" + side.setting + "' of '" + side.path + "'",
                      "no complete record has it", suggest(side.setting, settings)});
  }
  std::erase_if(side.records,
                [&](const Record& record) { return setting_of(record) != side.setting; });
}

/// Launches of different kinds on one side are no sample of anything.
void require_one(const Side& side, const std::string& what, const std::vector<std::string>& found) {
  if (found.size() == 1) return;
  if (found.empty()) {
    throw InputError({"'" + side.name + "' holds no complete launch",
                      std::to_string(side.records.size()) + " interrupted or failed",
                      "name records of launches that were completed"});
  }
  throw InputError({"'" + side.name + "' holds launches of several " + what, join(found, " and "),
                    "name the folder of one campaign"});
}

}  // namespace

Side load_side(const std::string& name) {
  Side side = parse_side(name);
  side.records = load_records({side.path}, Kept::times);
  keep_setting(side);
  require_one(side, "campaigns", distinct(side.records, [](const Record& record) {
                return record.campaign ? record.campaign->name : std::string();
              }));
  require_one(side, "MPI libraries", distinct(side.records, [](const Record& record) {
                return record.provenance.mpi.library;
              }));
  return side;
}

void require_disjoint(const Side& a, const Side& b) {
  for (const Record& record : a.records) {
    if (std::ranges::find(b.records, record) == b.records.end()) continue;
    throw InputError({"A and B share a launch", "a comparison with itself says nothing",
                      "name two folders or two settings"});
  }
}

Origin origin_of(const Side& a, const Side& b) {
  return fs::equivalent(a.path, b.path) ? Origin::one_campaign : Origin::apart;
}

}  // namespace hockney
