#include "profile/library/recorder.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace hockney::profile {

Recorder::Recorder(std::size_t budget)
    : budget_(budget),
      communicators(budget_),
      requests(budget_),
      calls_(budget_),
      messages_(budget_),
      site_of_address_(budget_),
      sites_(budget_),
      regions_(budget_),
      letters_(budget_) {
  letters("");
  // What is counted without more is counted by these, even when the memory is full.
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(Function::count); ++i) {
    calls_.find_or_add({.function = i});
  }
  messages_.find_or_add({});
}

std::uint32_t Recorder::letters(std::string_view text) {
  const auto begin = static_cast<std::uint32_t>(letters_.size());
  for (const char letter : text) {
    if (letters_.add(letter) == nullptr) break;
  }
  if (letters_.add('\0') == nullptr) return 0;
  return begin;
}

std::uint32_t Recorder::site_of(const CallSite& call) {
  if (call.address == nullptr) return no_index;
  SiteOfAddress* known =
      site_of_address_.find_or_add({reinterpret_cast<std::uint64_t>(call.address)});
  if (known == nullptr) return no_index;
  if (known->site != no_index) return known->site;
  if (known->distance == 0) {
    const auto place = code_place(call.address);
    if (!place) return no_index;
    if (is_mpi_module(place->module)) {
      known->distance = static_cast<std::int32_t>(caller_distance(call));
    }
    if (known->distance == 0) return known->site = add_site(*place);
  }
  if (call.frame == nullptr) return no_index;
  const char* const slot = call.frame + known->distance;
  const void* caller = nullptr;
  std::memcpy(&caller, slot, sizeof(caller));
  return site_of({caller, slot + sizeof(caller)});
}

std::uint32_t Recorder::add_site(const CodePlace& place) {
  if (sites_.add({.offset = place.offset, .module = letters(place.module)}) == nullptr) {
    return no_index;
  }
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

void Recorder::name_sites() {
  for (const SiteOfAddress& known : site_of_address_.rows()) {
    if (known.site == no_index || sites_[known.site].function != 0) continue;
    sites_[known.site].function = letters(function_at(known.key.address));
  }
}

CallRow::Key Recorder::key_of(const Timed& timed, std::uint32_t communicator,
                              std::uint32_t size_class) {
  return {.function = static_cast<std::uint32_t>(timed.function),
          .site = site_of(timed.site),
          .communicator = communicator,
          .region = inside_.empty() ? std::uint16_t{0} : inside_.back(),
          .size_class = static_cast<std::uint16_t>(size_class)};
}

CallRow& Recorder::row_of(const CallRow::Key& key) {
  CallRow* row = calls_.find_or_add(key);
  if (row != nullptr) return *row;
  ++header.folded_calls;
  return *calls_.find_or_add({.function = key.function});
}

void Recorder::count(const CallRow::Key& key, std::int64_t bytes, std::int64_t ticks) {
  CallRow& row = row_of(key);
  row.min_bytes = row.count == 0 ? bytes : std::min(row.min_bytes, bytes);
  row.max_bytes = std::max(row.max_bytes, bytes);
  row.min_ticks = row.count == 0 ? ticks : std::min(row.min_ticks, ticks);
  row.max_ticks = std::max(row.max_ticks, ticks);
  ++row.count;
  row.bytes += bytes;
  row.ticks += ticks;
}

void Recorder::message_to(int world_rank, std::uint32_t communicator, std::int64_t bytes,
                          Carrier carrier, bool reversed) {
  const auto size_class =
      static_cast<std::uint16_t>(size_class_of(static_cast<std::uint64_t>(bytes)));
  MessageRow* row = messages_.find_or_add({.to = world_rank,
                                           .communicator = communicator,
                                           .carrier = static_cast<std::uint16_t>(carrier),
                                           .size_class = size_class,
                                           .reversed = reversed ? 1U : 0U});
  if (row == nullptr) {
    ++header.folded_messages;
    row = messages_.find_or_add({});
  }
  row->min_bytes = row->messages == 0 ? bytes : std::min(row->min_bytes, bytes);
  row->max_bytes = std::max(row->max_bytes, bytes);
  ++row->messages;
  row->bytes += bytes;
}

void Recorder::message(const Group& group, int peer, std::int64_t bytes, Carrier carrier) {
  if (peer == MPI_PROC_NULL) return;
  message_to(group.world_rank(peer), group.row, bytes, carrier, carrier == Carrier::get);
}

void Recorder::receive_begins(const Timed& timed, const Group* group, MPI_Request request) {
  Pending pending{.what = Pending::What::receive,
                  .row = key_of(timed, group == nullptr ? no_index : group->row, unknown_size),
                  .ticks = timed.ticks,
                  .world = group == nullptr ? nullptr : group->world.get()};
  if (log) pending.number = log->event().request = log->number_request();
  count(pending.row, 0, timed.ticks);
  if (!requests.add(request, pending)) ++header.receives_untracked;
}

void Recorder::planned(MPI_Request request, const Pending& plan) {
  if (!requests.add(request, plan)) ++header.receives_untracked;
}

void Recorder::starts(MPI_Request request, const Timed* timed) {
  Pending* plan = requests.find(request);
  if (plan != nullptr && plan->what == Pending::What::planned_other) plan = nullptr;
  const std::uint32_t communicator = plan == nullptr ? no_index : plan->row.communicator;
  if (plan != nullptr && plan->what == Pending::What::planned_send) {
    if (!plan->to_nobody) message_to(plan->to, communicator, plan->bytes, Carrier::message);
    if (timed != nullptr) call(*timed, communicator, plan->bytes);
    return;
  }
  if (timed != nullptr) {
    const CallRow::Key key = key_of(*timed, communicator, plan == nullptr ? 0U : unknown_size);
    count(key, 0, timed->ticks);
    if (plan != nullptr) {
      plan->row = key;
      plan->ticks = timed->ticks;
    }
  }
  if (plan != nullptr) plan->active = timed != nullptr;
}

void Recorder::received(const Pending& pending, std::int64_t bytes) {
  if (bytes < 0) return;  // stays among those whose size is not known
  CallRow* unknown = calls_.find_or_add(pending.row);
  if (unknown == nullptr || unknown->count == 0) return;  // folded when it began
  --unknown->count;
  unknown->ticks -= pending.ticks;
  CallRow::Key key = pending.row;
  key.size_class = static_cast<std::uint16_t>(size_class_of(static_cast<std::uint64_t>(bytes)));
  count(key, bytes, pending.ticks);
}

void Recorder::completes(MPI_Request request, const Endpoint& endpoint) {
  Pending* pending = requests.find(request);
  if (pending == nullptr) return;
  const bool is_receive = pending->is_receive();
  if (log && pending->number != 0) {
    log->event().completed.push_back(
        {.request = pending->number, .received = is_receive ? endpoint : Endpoint{}});
    pending->number = 0;
  }
  if (is_receive && pending->active) received(*pending, endpoint.bytes);
  if (pending->what == Pending::What::receive || pending->what == Pending::What::other) {
    requests.remove(request);
  } else if (pending->what == Pending::What::planned_receive) {
    pending->active = false;
  }
}

void Recorder::start_log() {
  header.logging = static_cast<std::uint32_t>(many_threads ? Logging::not_possible : Logging::done);
  if (!many_threads) log.emplace(budget_, budget_.left() / 4 * 3, header.begin_ticks);
}

// NOLINTBEGIN(bugprone-unchecked-optional-access): these are called where there is a log
Event& Recorder::log_event(const Timed& timed) {
  const std::uint32_t region = inside_.empty() ? 0U : inside_.back();
  return log->begin(timed.function, site_of(timed.site), region, timed.begin, timed.ticks);
}

void Recorder::log_request(MPI_Request request, const Pending& pending) {
  Pending numbered = pending;
  numbered.number = log->event().request = log->number_request();
  requests.add(request, numbered);
}

bool Recorder::log_start(MPI_Request request) {
  Pending* plan = requests.find(request);
  if (plan == nullptr || plan->what == Pending::What::other) return false;
  Event& event = log->event();
  event.function = static_cast<Function>(plan->planned_by);
  event.communicator = plan->row.communicator;
  event.request = plan->number = log->number_request();
  event.root = plan->root;
  const Endpoint endpoint{plan->to, plan->tag, plan->bytes};
  if (plan->what == Pending::What::planned_other) {
    event.sent.bytes = plan->bytes;
  } else if (!plan->to_nobody) {
    (plan->what == Pending::What::planned_send ? event.sent : event.received) = endpoint;
  }
  return true;
}
// NOLINTEND(bugprone-unchecked-optional-access)

RegionRow* Recorder::region(std::string_view name) {
  for (RegionRow& row : regions_.rows()) {
    if (name == &letters_[row.name]) return &row;
  }
  if (regions_.size() >= std::numeric_limits<std::uint16_t>::max() - 1U) return nullptr;
  return regions_.add({.name = letters(name)});
}

void Recorder::enter(std::string_view name) {
  RegionRow* row = region(name);
  if (row == nullptr) return;
  ++row->entered;
  if (row->depth++ == 0) row->since = Ticks::now();
  inside_.push_back(static_cast<std::uint16_t>(row - regions_.rows().data() + 1));
}

void Recorder::leave(std::string_view name) {
  RegionRow* row = region(name);
  if (row == nullptr || row->depth == 0) return;
  if (--row->depth == 0) row->ticks += Ticks::now() - row->since;
  const auto index = static_cast<std::uint16_t>(row - regions_.rows().data() + 1);
  const auto innermost = std::find(inside_.rbegin(), inside_.rend(), index);
  if (innermost != inside_.rend()) inside_.erase(std::next(innermost).base());
}

PartPieces Recorder::pieces() const {
  return {.facts = facts,
          .letters = letters_.rows(),
          .calls = calls_.rows(),
          .messages = messages_.rows(),
          .communicators = communicators.rows(),
          .sites = sites_.rows(),
          .regions = regions_.rows(),
          .log = log ? log->bytes() : std::span<const char>()};
}

std::array<std::int64_t, 4> Recorder::price(bool with_log) {
  constexpr int times = 1000;
  Recorder scratch(std::size_t{1} << 20U);
  if (with_log) scratch.start_log();
  Group group;
  group.peers = 1;
  group.world = std::make_shared<const std::vector<int>>(1, 0);
  MPI_Request request{};
  const CallSite site{__builtin_return_address(0), nullptr};
  const auto measure = [&](auto&& record) {
    for (int i = 0; i < times; ++i) record(Timed{Function::Send, site, 0, 0});  // warm
    const std::int64_t begin = Ticks::nanoseconds();
    for (int i = 0; i < times; ++i) {
      const std::int64_t before = Ticks::now();
      const Timed timed{Function::Send, site, before, Ticks::now() - before};
      if (with_log) scratch.log_event(timed).sent = {0, 0, 1024};
      record(timed);
      if (with_log) scratch.log->add();
    }
    return Ticks::nanoseconds() - begin;
  };
  const auto send = [&](const Timed& timed) {
    scratch.message(group, 0, 1024, Carrier::message);
    scratch.call(timed, 0, 1024);
  };
  const auto receive = [&](const Timed& timed) {
    scratch.receive_begins(timed, &group, request);
    scratch.completes(request, {0, 0, 1024});
  };
  const auto completion = [&](const Timed& timed) {
    scratch.completes(request, {});
    scratch.call(timed, no_index, 0);
  };
  const auto other = [&](const Timed& timed) { scratch.call(timed, 0, 1024); };
  return {measure(send), measure(receive), measure(completion), measure(other)};
}

}  // namespace hockney::profile
