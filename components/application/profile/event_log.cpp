#include "components/application/profile/event_log.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::profile {
namespace {

/// Fields of an event besides its function, times and site. Fields without a bit are not written.
enum Has : std::uint64_t {
  has_communicator = 1U << 0U,  ///< differs from that of the previous event
  has_region = 1U << 1U,        ///< differs from that of the previous event
  has_sent = 1U << 2U,
  has_sent_to = 1U << 3U,  ///< `sent` also has a rank and a tag
  has_received = 1U << 4U,
  has_root = 1U << 5U,
  has_request = 1U << 6U,
  has_completed = 1U << 7U,
  has_repeats = 1U << 8U,
  has_all = (1U << 9U) - 1U
};

constexpr unsigned bits_of_letter = 7;
constexpr std::uint64_t more_follows = 1U << bits_of_letter;

/// Maps numbers near 0 of either sign to small unsigned numbers (zigzag).
constexpr std::uint64_t folded(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? ~(bits << 1U) : bits << 1U;
}
constexpr std::int64_t unfolded(std::uint64_t bits) {
  const auto half = static_cast<std::int64_t>(bits >> 1U);
  return (bits & 1U) != 0 ? ~half : half;
}

std::uint64_t what_it_has(const Event& event, std::uint32_t communicator, std::uint32_t region) {
  const Endpoint none;
  std::uint64_t has = 0;
  if (event.communicator != communicator) has |= has_communicator;
  if (event.region != region) has |= has_region;
  if (event.sent != none) has |= has_sent;
  if (event.sent.rank != no_rank || event.sent.tag != no_rank) has |= has_sent_to;
  if (event.received != none) has |= has_received;
  if (event.root != no_rank) has |= has_root;
  if (event.request != 0) has |= has_request;
  if (!event.completed.empty()) has |= has_completed;
  if (event.repeats != 0) has |= has_repeats;
  return has;
}

namespace fs = std::filesystem;

constexpr std::string_view world_mark = ".world";

/// Kind of a file of the world with the profile `base`; nullopt for other files.
std::optional<FileKind> kind_of(const std::string& name, const std::string& base) {
  if (name == base) return FileKind::profile;
  if (name == events_file(base)) return FileKind::events;
  if (!name.starts_with(base + ".rank")) return std::nullopt;
  if (name.ends_with(".part")) return FileKind::part;
  if (name.ends_with(".part" + std::string(unfinished_suffix))) return FileKind::unfinished_part;
  return std::nullopt;
}

/// The number in "NAME.world2.json", and in names that begin with it; 1 without a number.
int world_in(const std::string& name, const std::string& base) {
  const std::string prefix = fs::path(base).stem().string() + std::string(world_mark);
  if (!name.starts_with(prefix)) return 1;
  const std::string_view rest = std::string_view(name).substr(prefix.size());
  const std::size_t digits = rest.find_first_not_of("0123456789");
  return as_number<int>(std::string(rest.substr(0, digits))).value_or(1);
}

}  // namespace

bool EventWriter::put(std::uint64_t value) {
  while (size_ < room_.size()) {
    const bool is_last = value < more_follows;
    room_[size_++] = static_cast<char>(is_last ? value : (value | more_follows));
    if (is_last) return true;
    value >>= bits_of_letter;
  }
  return false;
}

bool EventWriter::put_signed(std::int64_t value) { return put(folded(value)); }

bool EventWriter::put(const Endpoint& endpoint) {
  return put_signed(endpoint.rank) && put_signed(endpoint.tag) && put_signed(endpoint.bytes);
}

bool EventWriter::put_all(const Event& event) {
  const std::uint64_t has = what_it_has(event, communicator_, region_);
  bool done = put(static_cast<std::uint64_t>(event.function)) && put(has) &&
              put(event.site == no_index ? 0U : event.site + std::uint64_t{1}) &&
              put_signed(event.begin - end_) && put_signed(event.ticks);
  const auto also = [&](Has what, auto&&... values) {
    if ((has & what) != 0) done = done && (put(values) && ...);
  };
  also(has_communicator, std::uint64_t{event.communicator + 1U});  // none is 0
  also(has_region, std::uint64_t{event.region});
  if ((has & has_sent_to) != 0) {
    done = done && put(event.sent);
  } else if ((has & has_sent) != 0) {
    done = done && put_signed(event.sent.bytes);
  }
  also(has_received, event.received);
  also(has_root, folded(event.root));
  also(has_request, event.request - request_);
  also(has_repeats, static_cast<std::uint64_t>(event.repeats), folded(event.between));
  also(has_completed, std::uint64_t{event.completed.size()});
  const std::uint64_t latest = std::max(request_, event.request);
  for (const Completed& completed : event.completed) {
    const bool is_receive = completed.received != Endpoint{};
    done = done && put((latest - completed.request) << 1U | (is_receive ? 1U : 0U)) &&
           (!is_receive || put(completed.received));
  }
  return done;
}

bool EventWriter::write(const Event& event) {
  const std::size_t before = size_;
  if (!put_all(event)) {
    size_ = before;
    return false;
  }
  end_ = event.end();
  communicator_ = event.communicator;
  region_ = event.region;
  request_ = std::max(request_, event.request);
  return true;
}

EventReader::EventReader(const Part& part, std::string file)
    : part_(part), file_(std::move(file)), rest_(part.log), end_(part.header.begin_ticks) {}

void EventReader::refuse(const std::string& why) const {
  throw InputError(
      {"'" + file_ + "' has no readable events of rank " + std::to_string(part_.header.rank), why,
       "record the program again"});
}

std::uint64_t EventReader::take() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < std::numeric_limits<std::uint64_t>::digits;
       shift += bits_of_letter) {
    if (rest_.empty()) refuse("they are truncated");
    const auto letter = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= (letter & (more_follows - 1)) << shift;
    if ((letter & more_follows) == 0) return value;
  }
  refuse("a number is too large");
}

std::uint64_t EventReader::take_below(std::uint64_t limit) {
  const std::uint64_t value = take();
  if (value >= limit) refuse("a number is out of its range");
  return value;
}

std::int64_t EventReader::take_signed() {
  const std::int64_t value = unfolded(take());
  constexpr std::int64_t most = std::int64_t{1} << 60U;  // so that sums of a few do not overflow
  if (value > most || value < -most) refuse("a number is out of its range");
  return value;
}

Endpoint EventReader::take_endpoint() {
  Endpoint endpoint;
  const std::int64_t rank = take_signed();
  const std::int64_t tag = take_signed();
  if (rank < any || rank >= part_.header.world_ranks || tag < any ||
      tag > std::numeric_limits<int>::max()) {
    refuse("a message has no rank or tag that there is");
  }
  endpoint.rank = static_cast<int>(rank);
  endpoint.tag = static_cast<int>(tag);
  endpoint.bytes = take_signed();
  if (endpoint.bytes < -1) refuse("a message has less than nothing");
  return endpoint;
}

void EventReader::take_completed(Event& event) {
  const std::uint64_t latest = std::max(request_, event.request);
  const std::uint64_t count = take_below(rest_.size() + 1);
  event.completed.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = take();
    if (bits >> 1U >= latest) refuse("a request was never made");
    event.completed.push_back({.request = latest - (bits >> 1U), .received = {}});
    if ((bits & 1U) != 0) event.completed.back().received = take_endpoint();
  }
}

void EventReader::take_places(Event& event, std::uint64_t has) {
  event.communicator = communicator_;
  event.region = region_;
  if ((has & has_communicator) != 0) {
    event.communicator =
        static_cast<std::uint32_t>(take_below(part_.communicators.size() + 1)) - 1U;
  }
  if ((has & has_region) != 0) {
    event.region = static_cast<std::uint32_t>(take_below(part_.regions.size() + 1));
  }
}

void EventReader::take_messages(Event& event, std::uint64_t has) {
  if ((has & has_sent_to) != 0) {
    event.sent = take_endpoint();
  } else if ((has & has_sent) != 0) {
    event.sent.bytes = take_signed();
    if (event.sent.bytes < -1) refuse("a call hands over less than nothing");
  }
  if ((has & has_received) != 0) event.received = take_endpoint();
  if ((has & has_root) == 0) return;
  event.root = static_cast<int>(take_signed());
  if (event.root < any || event.root >= part_.header.world_ranks) refuse("there is no such root");
}

void EventReader::advance(const Event& event) {
  if (event.begin < end_ || event.ticks < 0 || event.between < 0 ||
      event.end() > part_.header.end_ticks) {
    refuse("a call ends before it begins, or after the end");
  }
  end_ = event.end();
  communicator_ = event.communicator;
  region_ = event.region;
  request_ = std::max(request_, event.request);
}

bool EventReader::read(Event& event) {
  if (rest_.empty()) return false;
  event = {};
  event.function = static_cast<Function>(take_below(static_cast<std::uint64_t>(Function::count)));
  const std::uint64_t has = take_below(has_all + 1U);
  event.site = static_cast<std::uint32_t>(take_below(part_.sites.size() + 1)) - 1U;
  event.begin = end_ + take_signed();
  event.ticks = take_signed();
  take_places(event, has);
  take_messages(event, has);
  if ((has & has_request) != 0) event.request = request_ + take_below(std::uint64_t{1} << 32U);
  if ((has & has_repeats) != 0) {
    event.repeats = static_cast<std::int64_t>(take_below(std::uint64_t{1} << 60U));
    event.between = take_signed();
  }
  if ((has & has_completed) != 0) take_completed(event);
  advance(event);
  return true;
}

std::string events_file(const std::string& profile) {
  std::filesystem::path path(profile);
  if (path.extension() == ".json") path.replace_extension();
  return path.string() + ".events";
}

std::string new_run_id() {
  std::random_device random;
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%08x%08x", random(), random());
  return text.data();
}

bool is_run_id(std::string_view text) {
  constexpr std::size_t longest = 32;
  return !text.empty() && text.size() <= longest &&
         std::ranges::all_of(
             text, [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; });
}

std::string world_identity(const std::string& run, const std::string& world) {
  return run + "-" + world;
}

bool is_of_run(std::string_view identity, const std::string& run) {
  return identity.starts_with(run + "-");
}

std::string world_file(const std::string& profile, int number) {
  if (number == 1) return profile;
  fs::path path(profile);
  const std::string name = path.stem().string() + std::string(world_mark) + std::to_string(number) +
                           path.extension().string();
  return path.replace_filename(name).string();
}

std::string part_file(const std::string& profile, int rank) {
  return profile + ".rank" + std::to_string(rank) + ".part";
}

std::vector<RunFile> files_of(const std::string& profile) {
  const fs::path path(profile);
  const std::string base = path.filename().string();
  std::vector<RunFile> found;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", error)) {
    const std::string name = entry.path().filename().string();
    const int world = world_in(name, base);
    if (const auto kind = kind_of(name, world_file(base, world))) {
      found.push_back({world, *kind, entry.path()});
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace hockney::profile
