#include "components/application/library/recorder.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace hockney::profile {

Recorder::Recorder(std::size_t budget)
    : budget_(budget),
      communicators(budget_),
      requests(budget_),
      calls_(budget_),
      messages_(budget_),
      site_of_address_(budget_),
      sites_(budget_),
      modules_(budget_),
      names_(budget_),
      regions_(budget_, names_) {
  // These rows count calls when the memory is full.
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(Function::count); ++i) {
    calls_.find_or_add({.function = i});
  }
  messages_.find_or_add({});
}

std::uint32_t Recorder::site_of(const CallSite& call) {
  if (call.address == nullptr) return no_index;
  SiteOfAddress* known = site_of_address_.find({reinterpret_cast<std::uint64_t>(call.address)});
  if (known == nullptr) known = add_site(call);
  if (known == nullptr || known->is_lost) {
    ++header.places_lost;
    return no_index;
  }
  if (known->distance == 0 || call.frame == nullptr) return known->site;
  const char* const slot = call.frame + known->distance;
  const void* caller = nullptr;
  std::memcpy(&caller, slot, sizeof(caller));
  return site_of({caller, slot + sizeof(caller)});
}

Recorder::SiteOfAddress* Recorder::add_site(const CallSite& call) {
  const std::lock_guard lock(places_lock_);
  SiteOfAddress* const known =
      site_of_address_.find_or_add({reinterpret_cast<std::uint64_t>(call.address)});
  if (known == nullptr) return nullptr;
  try {
    look_up(*known, call);
  } catch (const std::bad_alloc&) {  // of the program's memory
    known->is_lost = true;
  }
  return known;
}

void Recorder::look_up(SiteOfAddress& known, const CallSite& call) {
  read_modules();  // code of modules loaded later makes calls from new places
  const auto place = code_place(call.address);
  if (!place) return;
  if (is_mpi_module(place->module)) {
    known.distance = static_cast<std::int32_t>(caller_distance(call));
  }
  if (known.distance != 0) return;
  known.site = add_site_row(*place);
  known.is_lost = known.site == no_index;
}

std::uint32_t Recorder::add_site_row(const CodePlace& place) {
  const auto module = names_.add(place.module);
  const bool is_added =
      module && sites_.add({.offset = place.offset, .module = *module}) != nullptr;
  return is_added ? static_cast<std::uint32_t>(sites_.size() - 1) : no_index;
}

std::vector<Recorder::UnnamedSite> Recorder::unnamed_sites() {
  std::vector<UnnamedSite> unnamed;
  const std::lock_guard lock(places_lock_);
  read_modules();
  parallel.for_each([&](ParallelRow& row, const void* address) {
    if (row.site != no_index) return;
    const auto place = code_place(address);
    if (!place) return;
    row.site = add_site_row(*place);
    unnamed.push_back({row.site, reinterpret_cast<std::uint64_t>(address)});
  });
  for (SiteOfAddress& known : site_of_address_.rows()) {
    if (!known.is_named) unnamed.push_back({known.site, known.key.address});
    known.is_named = true;
  }
  return unnamed;
}

void Recorder::before_unload() {
  try {
    for (const UnnamedSite& one : unnamed_sites()) {
      // Without the lock: dladdr(3) waits for dlopen(3), whose constructors may call MPI.
      const std::string_view function = function_at(one.address);
      const std::lock_guard lock(places_lock_);
      if (one.site == no_index || sites_[one.site].function != 0) continue;
      sites_[one.site].function = names_.add(function).value_or(0);
    }
  } catch (const std::bad_alloc&) {  // of the program's memory: the rest has no names
  }
}

void Recorder::after_unload() {
  try {
    retire_all_but(loaded_code());
  } catch (const std::bad_alloc&) {  // of the program's memory: names may be wrong
  }
}

void Recorder::retire_all_but(const LoadedCode& loaded) {
  constexpr std::uint64_t gone = std::uint64_t{1} << 63U;  // no address has it
  constexpr std::uint64_t above_addresses = 48;            // bits of an address
  const std::lock_guard lock(places_lock_);
  if (loaded.unloads == unloads_seen_) return;
  unloads_seen_ = loaded.unloads;
  for (SiteOfAddress& known : site_of_address_.rows()) {
    if (known.site != no_index && !loaded.has(known.key.address)) {
      std::atomic_ref(known.key.address).fetch_or(gone, std::memory_order_relaxed);
    }
  }
  parallel.for_each([&](ParallelRow&, const void*& place) {
    if (!loaded.has(reinterpret_cast<std::uint64_t>(place))) place = nullptr;
  });
  for (ModuleRow& row : modules_.rows()) {
    if (row.end == 0 || row.end >> above_addresses != 0 || loaded.has(row.begin)) continue;
    const std::uint64_t shift = (retired_ % 0x7fff + 1) << above_addresses;
    if (!sampler.retire({row.begin, row.end}, shift)) {
      row = {};
      continue;
    }
    ++retired_;
    row.begin += shift;
    row.end += shift;
    row.bias += shift;
  }
}

void Recorder::start_samples(std::int64_t period_ns, std::size_t smallest_stack,
                             Sampler::Handler handler) {
  sampler.begin(budget_, period_ns, smallest_stack, handler, Ticks::now);
  const std::lock_guard lock(places_lock_);
  read_modules();
}

void Recorder::read_modules() {
  if (!sampler.is_begun()) return;
  const LoadedModules loaded = modules_after(modules_seen_);
  modules_seen_ = loaded.now;
  for (const LoadedModule& found : loaded.list) {
    const AddressRange code{found.row.begin, found.row.end};
    if (code.has(reinterpret_cast<std::uint64_t>(&hockney::profile::code_place))) {
      sampler.set_own_code(code);
    }
    const bool is_known = std::ranges::any_of(modules_.rows(), [&](const ModuleRow& row) {
      return row.begin == found.row.begin && row.end == found.row.end;
    });
    if (is_known) continue;
    ModuleRow row = found.row;
    const auto path = names_.add(found.path);
    const auto build_id = names_.add(found.build_id);
    if (!path || !build_id) continue;
    row.path = *path;
    row.build_id = *build_id;
    add_module(row);
  }
}

void Recorder::add_module(const ModuleRow& row) {
  const auto rows = modules_.rows();
  const auto unused = std::ranges::find(rows, std::uint64_t{0}, &ModuleRow::end);
  if (unused != rows.end()) {
    *unused = row;
  } else {
    modules_.add(row);
  }
}

CallRow::Key Recorder::key_of(const Timed& timed, std::uint32_t communicator,
                              std::uint32_t size_class) {
  return {.function = static_cast<std::uint32_t>(timed.function),
          .site = site_of(timed.site),
          .communicator = communicator,
          .region = regions_.innermost(),
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
  track(request, pending);
}

void Recorder::planned(MPI_Request request, const Pending& plan) { track(request, plan); }

void Recorder::track(MPI_Request request, const Pending& pending) {
  if (requests.add(request, pending)) return;
  if (log) log->close();  // the request would never end in it
  if (pending.what != Pending::What::other) ++header.receives_untracked;
}

void Recorder::starts(MPI_Request request, const Timed* timed) {
  Pending* plan = requests.find(request);
  if (plan != nullptr && plan->what == Pending::What::planned_other) plan = nullptr;
  const std::uint32_t communicator = plan == nullptr ? no_index : plan->row.communicator;
  if (plan != nullptr && plan->what == Pending::What::planned_send) {
    if (!plan->to_no_rank) message_to(plan->to, communicator, plan->bytes, Carrier::message);
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
  if (bytes < 0) return;  // keeps the class of unknown size
  CallRow* unknown = calls_.find_or_add(pending.row);
  if (unknown == nullptr || unknown->count == 0) return;  // folded when it was posted
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
  // Without its communicator an event cannot be ordered among messages and collectives.
  if (communicators.lost() > 0) log->close();
  return log->begin(timed.function, site_of(timed.site), regions_.innermost(), timed.begin,
                    timed.ticks);
}

void Recorder::log_request(MPI_Request request, const Pending& pending) {
  Pending numbered = pending;
  numbered.number = log->event().request = log->number_request();
  track(request, numbered);
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
  } else if (!plan->to_no_rank) {
    (plan->what == Pending::What::planned_send ? event.sent : event.received) = endpoint;
  }
  return true;
}
// NOLINTEND(bugprone-unchecked-optional-access)

PartPieces Recorder::pieces() const {
  return {.facts = facts,
          .letters = names_.letters(),
          .calls = calls_.rows(),
          .messages = messages_.rows(),
          .communicators = communicators.rows(),
          .sites = sites_.rows(),
          .regions = regions_.rows(),
          .cpu = cpu.rows(),
          .log = log ? log->bytes() : std::span<const char>(),
          .stacks = sampler.rows(),
          .frames = sampler.frames(),
          .modules = modules_.rows(),
          .parallel = parallel.rows()};
}

PartHeader Recorder::whole_header() const {
  PartHeader whole = header;
  whole.io_ticks = io_ticks;
  whole.io_bytes = io_bytes;
  whole.places_lost += communicators.lost();
  whole.sampling = sampler.sums();
  if (log) whole.events = log->events();
  if (log) whole.events_not_logged = log->not_logged();
  return whole;
}

std::array<std::int64_t, 4> Recorder::overhead(bool with_log) {
  constexpr int times = 1000;
  Recorder scratch(std::size_t{1} << 20U);
  if (with_log) scratch.start_log();
  Group group;
  group.peers = 1;
  group.world = std::make_shared<const std::vector<int>>(1, 0);
  MPI_Request request{};
  const CallSite site{__builtin_return_address(0), nullptr};
  const auto measure = [&](auto&& record) {
    for (int i = 0; i < times; ++i) record(Timed{Function::Send, site, 0, 0});  // warm-up
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
