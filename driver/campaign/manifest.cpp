#include "driver/campaign/manifest.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/invariants.hpp"
#include "core/json_fields.hpp"
#include "core/json_values.hpp"
#include "core/record_json.hpp"
#include "core/secretless.hpp"
#include "core/statistics.hpp"

namespace hockney::campaign {

namespace fs = std::filesystem;

Folder campaign_folder(const std::string& folder) {
  return {fs::absolute(folder).lexically_normal()};
}

void make_folders(const Folder& folder) {
  for (const char* part : {"records", "logs", "interrupted"}) {
    std::error_code error;
    fs::create_directories(folder.root / part, error);
    if (!error) continue;
    throw RunError({fmt::format("cannot make '{}'", (folder.root / part).string()), error.message(),
                    "choose another --out"});
  }
}

namespace {

struct Holder {
  pid_t pid = 0;
  std::string host;
};

Holder read_holder(int descriptor) {
  std::array<char, 512> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size() - 1, 0);
  Holder holder;
  if (size > 0) std::istringstream(text.data()) >> holder.pid >> holder.host;
  return holder;
}

void write_holder(int descriptor) {
  const std::string text = fmt::format("{} {}\n", ::getpid(), own_host());
  // The text is only for the error message of a second driver; the lock works without it.
  if (::ftruncate(descriptor, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
  }
}

bool is_dead(const Holder& holder) {
  const bool here = holder.host == own_host() && holder.pid > 0;
  return here && ::kill(holder.pid, 0) != 0 && errno == ESRCH;
}

[[noreturn]] void reject(const std::string& file, const Holder& holder) {
  const std::string who =
      holder.pid > 0 ? fmt::format("process {} on {}", holder.pid, holder.host) : "another";
  throw InputError({fmt::format("the campaign of '{}' is being run", file), who + " holds its lock",
                    "wait for it, or choose another --out"});
}

using Json = nlohmann::json;

/// The plan in order of launching. It follows from seed, settings and launches, and is written for
/// human readers.
void write_plan(const Manifest& manifest, Json& document) {
  const std::vector<Setting>& settings = manifest.config.settings;
  Json& plan = document["plan"] = Json::array();
  for (const PlannedLaunch& launch :
       plan_launches(settings.size(), manifest.launches, manifest.seed)) {
    plan.push_back(launch_name(settings[launch.setting].name, launch.launch));
  }
}

Json config_json(const Config& config) { return to_json(without_secrets(config)); }

/// The file next to a manifest that has its config with all secrets.
std::string private_config(const std::string& manifest) {
  return (std::filesystem::path(manifest).parent_path() / private_config_name).string();
}

/// Writes the name of the private file, if the config has secrets.
void write_private_config(const Manifest& manifest, Json& document) {
  if (has_secrets(manifest.config)) document["private_config"] = private_config_name;
}

constexpr std::array<Invariant<Manifest>, 1> manifest_invariants{
    {{"points within the precision are some of all", [](const Manifest& manifest) -> std::string {
        const auto& precision = manifest.precision;
        if (!precision) return {};
        return descending(
            {{"precision.within", precision->within}, {"precision.points", precision->points}});
      }}}};

}  // namespace

FolderLock::FolderLock(const std::string& file, Seconds patience)
    : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  using SteadyClock = std::chrono::steady_clock;
  if (!descriptor_.is_open()) {
    throw RunError(
        {fmt::format("cannot write '{}'", file), std::strerror(errno), "check its folder"});
  }
  const auto deadline = SteadyClock::now() + std::chrono::duration<double>(patience.value);
  while (::flock(descriptor_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      throw RunError({fmt::format("cannot lock '{}'", file), std::strerror(errno),
                      "choose an --out on a file system with locks"});
    }
    const Holder holder = read_holder(descriptor_.get());
    if (!is_dead(holder) || SteadyClock::now() >= deadline) reject(file, holder);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  write_holder(descriptor_.get());
}

constexpr auto fields_of(std::type_identity<Attempt>) {
  return object_of(
      key("setting", &Attempt::setting), key("launch", &Attempt::launch, positive_integer),
      key("attempt", &Attempt::number, positive_integer), key("status", &Attempt::status),
      key("reason", &Attempt::reason), key("exit_code", &Attempt::exit_code),
      key("signal", &Attempt::signal),
      members_of(&Attempt::command,
                 key("command", &Command::arguments, secretless<SecretlessWords>),
                 key("environment", &Command::environment, secretless<SecretlessVariables>)),
      key("started_utc", &Attempt::started_utc, utc_moment),
      key("duration_seconds", &Attempt::duration_seconds),
      key("slot_seconds", &Attempt::slot_seconds),
      key("measuring_seconds", &Attempt::measuring_seconds),
      key("points_left_out", &Attempt::points_left_out, KeyUse::left_out_if_empty),
      key("points_measured", &Attempt::points_measured, KeyUse::left_out_if_empty),
      key("log", &Attempt::log),
      key("ignored_settings", &Attempt::ignored_settings, KeyUse::may_be_missing),
      key("remains", &Attempt::remains),
      key("died_at", &Attempt::died_at, KeyUse::left_out_if_empty),
      key("last_lines", &Attempt::last_lines));
}

constexpr auto fields_of(std::type_identity<Precision>) {
  return object_of(key("points", &Precision::points), key("within", &Precision::within),
                   key("widest", &Precision::widest).up_to(most_launches),
                   key("widest_at", &Precision::widest_at), key("level", &Precision::level));
}

constexpr auto fields_of(std::type_identity<SkippedCombination>) {
  return object_of(key("setting", &SkippedCombination::setting),
                   key("because", &SkippedCombination::because));
}

constexpr auto fields_of(std::type_identity<Manifest>) {
  return object_of(
      DocumentSchema{manifest_schema, "choose another --out"}, key("status", &Manifest::status),
      key("config", &Manifest::config, FieldCodec<Config, Json>{read_config, config_json}),
      by_hand<Manifest>({"private_config"}, nullptr, write_private_config),
      members_of(&Manifest::config, key("config_file", &Config::file)),
      key("program", &Manifest::program), key("ranks", &Manifest::ranks, positive_integer),
      key("seed", &Manifest::seed), key("launches", &Manifest::launches, positive_integer),
      key("launches_because", &Manifest::launches_because), key("precision", &Manifest::precision),
      key("ended_because", &Manifest::ended_because, KeyUse::left_out_if_empty),
      key("started_utc", &Manifest::started_utc, utc_moment),
      key("elapsed_seconds", &Manifest::elapsed_seconds),
      key("skipped", &Manifest::skipped, KeyUse::may_be_missing),
      key("network", &Manifest::network, KeyUse::left_out_if_empty),
      by_hand<Manifest>({"plan"}, nullptr, write_plan), key("attempts", &Manifest::attempts));
}

Manifest read_manifest(const JsonNode& document) {
  auto manifest = read_value<Manifest>(document);
  check_invariants(manifest_invariants, document, manifest);
  return manifest;
}

Manifest load_manifest(const std::string& file) {
  const JsonNode document = load_json(file);
  Manifest manifest = read_manifest(document);
  if (!document.find("private_config")) return manifest;
  const std::string whole = private_config(file);
  if (!std::filesystem::exists(whole)) {
    throw InputError({fmt::format("'{}' is not there", whole),
                      "the campaign cannot be launched without the secrets that only it has",
                      "put it back, or begin a new campaign"});
  }
  const std::string config_file = std::move(manifest.config.file);
  manifest.config = load_config(whole);
  manifest.config.file = config_file;
  return manifest;
}

Json to_json(const Manifest& manifest) { return manifest; }

void save_manifest(const Manifest& manifest, const std::string& file) {
  if (has_secrets(manifest.config)) {
    write_atomically(private_config(file), json_text(to_json(manifest.config)) + "\n",
                     Readers::owner);
  }
  write_atomically(file, json_text(to_json(manifest)) + "\n");
}

int Manifest::complete_launches() const {
  return static_cast<int>(std::ranges::count(attempts, AttemptStatus::complete, &Attempt::status));
}

Seconds Manifest::longest_attempt() const {
  double longest = 0;
  for (const Attempt& attempt : attempts) longest = std::max(longest, attempt.duration_seconds);
  return {longest};
}

std::optional<Seconds> Manifest::usual_slot() const {
  std::vector<double> slots;
  for (const Attempt& attempt : attempts) {
    if (attempt.status == AttemptStatus::complete && attempt.slot_seconds) {
      slots.push_back(*attempt.slot_seconds);
    }
  }
  const auto usual = median(slots);
  return usual ? std::optional(Seconds{*usual}) : std::nullopt;
}

int Manifest::tries(const std::string& setting, int launch) const {
  return static_cast<int>(std::ranges::count_if(attempts, [&](const Attempt& attempt) {
    return attempt.setting == setting && attempt.launch == launch;
  }));
}

}  // namespace hockney::campaign
