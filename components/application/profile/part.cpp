#include "components/application/profile/part.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>

#include "core/error.hpp"

namespace hockney::profile {
namespace {

constexpr const char* advice = "remove the file, or use the version of hockney that wrote it";

/// Reads consecutive pieces from some bytes.
class PartReader {
 public:
  PartReader(std::string_view bytes, const std::string& file) : rest_(bytes), file_(file) {}

  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

  Part part() {
    Part part;
    part.header = header();
    part.facts = letters(part.header.facts);
    part.letters = letters(part.header.letters);
    if (!part.letters.empty() && part.letters.back() != '\0') refuse("a name has no end");
    rows(part.header.calls, part.calls);
    rows(part.header.messages, part.messages);
    rows(part.header.communicators, part.communicators);
    rows(part.header.sites, part.sites);
    rows(part.header.regions, part.regions);
    rows(part.header.cpu_rows, part.cpu);
    rows(part.header.stacks, part.stacks);
    rows(part.header.frames, part.frames);
    rows(part.header.modules, part.modules);
    rows(part.header.parallel, part.parallel);
    part.log = letters(part.header.log);
    check(part.header);
    check_rows(part);
    return part;
  }

 private:
  PartHeader header() {
    PartHeader header;
    const auto read = [&](std::size_t size) {
      if (rest_.size() < size) refuse("it ends within its header");
      std::memcpy(static_cast<void*>(&header), rest_.data(), size);
    };
    read(header_bytes_of(oldest_part_version));
    if (header.magic != part_magic) refuse("it begins with other letters");
    const std::size_t size = header_bytes_of(header.version);
    if (header.version < oldest_part_version || header.version > part_version ||
        header.header_bytes != size ||
        header.functions != static_cast<std::uint32_t>(Function::count)) {
      refuse("another version wrote it");
    }
    read(size);
    rest_.remove_prefix(size);
    return header;
  }

  std::string_view letters(std::uint64_t count) {
    if (rest_.size() < count) refuse("it is truncated");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  template <class Row>
  void rows(std::uint64_t count, std::vector<Row>& rows) {
    if (count > rest_.size() / sizeof(Row)) refuse("it is truncated");
    rows.resize(count);
    if (count > 0) std::memcpy(rows.data(), rest_.data(), count * sizeof(Row));
    rest_.remove_prefix(count * sizeof(Row));
  }

  void check(const PartHeader& header) const {
    if (header.world_ranks < 1 || header.rank < 0 || header.rank >= header.world_ranks) {
      refuse("its rank is not one of its ranks");
    }
    if (header.world_ranks > most_ranks) refuse("no program has so many ranks");
    if (header.end < 0 || header.end > static_cast<int>(End::signalled) || header.signal < 0) {
      refuse("it ended in no way that is known");
    }
    constexpr std::int64_t most_ticks = std::int64_t{1} << 62U;  // sums of two do not overflow
    if (header.end_ticks < header.begin_ticks || header.end_ns < header.begin_ns ||
        header.begin_ticks < 0 || header.end_ticks > most_ticks || header.begin_ns < 0) {
      refuse("it ended before it began");
    }
    if (header.logging > static_cast<std::uint32_t>(Logging::not_possible)) {
      refuse("it logs events in no way that is known");
    }
    const auto counts = {header.io_ticks,        header.io_bytes,           header.folded_calls,
                         header.folded_messages, header.receives_untracked, header.places_lost,
                         header.events,          header.events_not_logged,  header.in_since};
    const CpuSums& cpu = header.cpu;
    const auto used = {cpu.user_ns,      cpu.system_ns,          cpu.involuntary,
                       cpu.voluntary,    cpu.readings,           cpu.reading_ns,
                       cpu.minor_faults, cpu.major_faults,       cpu.is_known,
                       cpu.queue_ns + 1, cpu.other_queue_ns + 1, cpu.throttled_ns + 1};
    const SampleSums& sums = header.sampling;
    const auto sampled = {sums.state,   sums.period_ns,    sums.samples, sums.lost,
                          sums.threads, sums.threads_lost, sums.ticks};
    if (std::ranges::min(counts) < 0 || std::ranges::min(used) < 0 ||
        std::ranges::min(sampled) < 0) {
      refuse("it counts less than nothing");
    }
    if (sums.state > static_cast<std::int64_t>(Sampling::signal_taken)) {
      refuse("it was sampled in no way that is known");
    }
    if (header.parallel_tool < 0 ||
        header.parallel_tool > static_cast<std::int64_t>(ParallelTool::disabled)) {
      refuse("its threads were recorded in no way that is known");
    }
  }

  void check_rows(const Part& part) const {
    const bool good =
        std::ranges::all_of(part.calls, [&](const CallRow& row) { return is_good(part, row); }) &&
        std::ranges::all_of(part.messages,
                            [&](const MessageRow& row) { return is_good(part, row); }) &&
        std::ranges::all_of(part.sites,
                            [&](const SiteRow& row) {
                              return row.module < part.letters.size() &&
                                     row.function < part.letters.size() && row.offset >= 0;
                            }) &&
        std::ranges::all_of(part.communicators,
                            [](const CommunicatorRow& row) {
                              return row.size >= 0 &&
                                     row.made_by <= static_cast<std::uint32_t>(Function::count);
                            }) &&
        std::ranges::all_of(part.regions,
                            [&](const RegionRow& row) {
                              return row.name < part.letters.size() && row.entered >= 0 &&
                                     row.ticks >= 0 && row.since >= 0;
                            }) &&
        std::ranges::all_of(part.cpu,
                            [&](const CpuRow& row) {
                              return row.region <= part.regions.size() && row.inside <= 1 &&
                                     row.ticks >= 0 && row.cpu_ns >= 0 && row.queue_ns >= 0;
                            }) &&
        std::ranges::all_of(part.stacks,
                            [&](const StackRow& row) {
                              return row.count >= 0 && row.frames <= part.frames.size() &&
                                     row.first <= part.frames.size() - row.frames &&
                                     row.function <= static_cast<std::uint32_t>(Function::count);
                            }) &&
        std::ranges::all_of(part.modules,
                            [&](const ModuleRow& row) {
                              return row.path < part.letters.size() &&
                                     row.build_id < part.letters.size() && row.begin <= row.end &&
                                     row.bias <= row.begin;
                            }) &&
        std::ranges::all_of(part.parallel,
                            [&](const ParallelRow& row) { return is_good(part, row); });
    if (!good) refuse("a row has values that no recording gives");
  }

  static bool is_index(std::uint32_t index, std::size_t size) {
    return index == no_index || index < size;
  }

  static bool is_good(const Part& part, const CallRow& row) {
    return row.key.function < static_cast<std::uint32_t>(Function::count) &&
           is_index(row.key.site, part.sites.size()) &&
           is_index(row.key.communicator, part.communicators.size()) &&
           row.key.region <= part.regions.size() && row.count >= 0 && row.bytes >= 0 &&
           row.min_bytes >= 0 && row.max_bytes >= 0 && row.ticks >= 0 && row.min_ticks >= 0 &&
           row.max_ticks >= 0;
  }

  static bool is_good(const Part& part, const ParallelRow& row) {
    return is_index(row.site, part.sites.size()) && row.threads <= most_ranks && row.count >= 0 &&
           row.ticks >= 0 && row.thread_ticks >= 0 && row.busy_ticks >= 0 && row.slowest_ticks >= 0;
  }

  static bool is_good(const Part& part, const MessageRow& row) {
    return row.key.to >= -1 && row.key.to < part.header.world_ranks &&
           is_index(row.key.communicator, part.communicators.size()) &&
           row.key.carrier <= static_cast<std::uint16_t>(Carrier::get) && row.messages >= 0 &&
           row.bytes >= 0 && row.min_bytes >= 0 && row.max_bytes >= 0;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError({"'" + file_ + "' is no part of a profile", why, advice});
  }

  std::string_view rest_;
  const std::string& file_;
};

std::string identity(const CommunicatorRow& row) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%016llx-%u",
                static_cast<unsigned long long>(row.ranks_hash), row.instance);
  return text.data();
}

std::string name_of(const CommunicatorRow& row) {
  if (row.predefined == 1) return "MPI_COMM_WORLD";
  if (row.predefined == 2) return "MPI_COMM_SELF";
  if (row.made_by == static_cast<std::uint32_t>(Function::count)) return "unknown";
  return "MPI_" + std::string(describe(static_cast<Function>(row.made_by)).name);
}

}  // namespace

std::array<std::span<const std::byte>, 13> PartPieces::bytes() const {
  return {std::as_bytes(facts),    std::as_bytes(letters),       std::as_bytes(calls),
          std::as_bytes(messages), std::as_bytes(communicators), std::as_bytes(sites),
          std::as_bytes(regions),  std::as_bytes(cpu),           std::as_bytes(stacks),
          std::as_bytes(frames),   std::as_bytes(modules),       std::as_bytes(parallel),
          std::as_bytes(log)};
}

void PartPieces::count_in(PartHeader& header) const {
  header.facts = facts.size();
  header.letters = letters.size();
  header.calls = calls.size();
  header.messages = messages.size();
  header.communicators = communicators.size();
  header.sites = sites.size();
  header.regions = regions.size();
  header.cpu_rows = cpu.size();
  header.stacks = stacks.size();
  header.frames = frames.size();
  header.modules = modules.size();
  header.parallel = parallel.size();
  header.log = log.size();
}

std::vector<Part> read_parts(std::string_view bytes, const std::string& file) {
  std::vector<Part> parts;
  PartReader reader(bytes, file);
  while (!reader.is_at_end()) parts.push_back(reader.part());
  return parts;
}

void PartPlaces::add(const Part& part) {
  const auto letters = [&](std::uint32_t at) { return part.letters.data() + at; };
  communicator_.clear();
  for (const CommunicatorRow& row : part.communicators) {
    const std::string key = row.predefined == 2 ? "self" : identity(row);
    communicator_.push_back(communicators_.of(key, [&] {
      return Communicator{name_of(row), key, row.size};
    }));
  }
  site_.clear();
  for (const SiteRow& row : part.sites) {
    const std::pair<std::string, std::int64_t> key{letters(row.module), row.offset};
    site_.push_back(sites_.of(key, [&] {
      return Site{key.first, key.second, letters(row.function)};
    }));
  }
  region_.clear();
  for (const RegionRow& row : part.regions) {
    const std::string name = letters(row.name);
    region_.push_back(regions_.of(name, [&] { return Region{.name = name}; }));
  }
}

}  // namespace hockney::profile
