#include "components/application/library/recorder.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>
#include <string_view>

#include "components/application/library/real.hpp"

namespace hockney::profile {

void Ticks::choose() {
  const int file = ::open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                          O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  std::array<char, 8> text{};
  const ssize_t length = ::read(file, text.data(), text.size());
  ::close(file);
  uses_counter_ = length > 0 && std::string_view(text.data(), 4) == "tsc\n";
}

std::int64_t Ticks::simulated() {
  constexpr double picoseconds = 1e12;
  return std::llround(real::Wtime() * picoseconds);
}

namespace {

/// State of a walk up the stack to the frame above a given one.
struct Walk {
  const char* frame = nullptr;
  std::ptrdiff_t distance = 0;
};

[[maybe_unused]] _Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  // The frame called from here ends at this address; its last word is the return address.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is how the unwinder tells addresses
  const auto* const end = reinterpret_cast<const char*>(_Unwind_GetCFA(context));
  if (end <= walk.frame) return _URC_NO_REASON;
  const auto* const slot = reinterpret_cast<const _Unwind_Ptr*>(end) - 1;
  if (*slot == _Unwind_GetIP(context)) {
    walk.distance = reinterpret_cast<const char*>(slot) - walk.frame;
  }
  return _URC_NORMAL_STOP;
}

/// Path of a loaded module; an empty name means the executable.
std::string path_of(const char* name) {
  if (*name != '\0') return name;
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  return length > 0 ? path.data() : "";
}

struct PlaceSearch {
  ElfW(Addr) address = 0;
  std::optional<CodePlace> found;
};

/// Callback of dl_iterate_phdr; a non-zero result ends the iteration.
int look_for_place(dl_phdr_info* module, std::size_t /*size*/, void* data) {
  auto& search = *static_cast<PlaceSearch*>(data);
  for (ElfW(Half) i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module->dlpi_phdr[i];
    const ElfW(Addr) begin = module->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || search.address - begin >= part.p_memsz) continue;
    search.found = CodePlace{path_of(module->dlpi_name),
                             static_cast<std::int64_t>(search.address - module->dlpi_addr)};
    return 1;
  }
  return 0;
}

/// A module by dl_iterate_phdr, as rows have it.
struct LoadedModule {
  ModuleRow row;
  std::string path;
  std::string build_id;
};

std::string hexadecimal(const unsigned char* bytes, std::size_t size) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4U];
    text += digits[bytes[i] & 15U];
  }
  return text;
}

/// The build id in the notes of a segment; empty if there is none.
std::string build_id_in(const char* notes, std::size_t size) {
  constexpr std::size_t alignment = 4;
  const auto padded = [](std::size_t length) {
    return (length + alignment - 1) / alignment * alignment;
  };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note{};
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t name = at + sizeof note;
    const std::size_t content = name + padded(note.n_namesz);
    const std::size_t end = content + padded(note.n_descsz);
    if (end > size) break;
    const bool is_build_id = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                             std::string_view(notes + name, 3) == "GNU";
    if (is_build_id) {
      return hexadecimal(reinterpret_cast<const unsigned char*>(notes) + content, note.n_descsz);
    }
    at = end;
  }
  return {};
}

/// Addresses of a module's code; from 0 to 0 if it has none.
AddressRange code_of(const dl_phdr_info& module) {
  AddressRange code;
  for (ElfW(Half) i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module.dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const std::uint64_t begin = module.dlpi_addr + part.p_vaddr;
    code.begin = code.end == 0 ? begin : std::min(code.begin, begin);
    code.end = std::max(code.end, begin + part.p_memsz);
  }
  return code;
}

LoadedModule describe_module(const dl_phdr_info& module) {
  const AddressRange code = code_of(module);
  LoadedModule found{.row = {.begin = code.begin, .end = code.end, .bias = module.dlpi_addr},
                     .path = path_of(module.dlpi_name)};
  for (ElfW(Half) i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module.dlpi_phdr[i];
    const std::uint64_t begin = module.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_NOTE && found.build_id.empty()) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells addresses as numbers
      found.build_id = build_id_in(reinterpret_cast<const char*>(begin), part.p_memsz);
    }
  }
  return found;
}

struct LoadedModules {
  std::uint64_t seen = 0;  ///< loads and unloads at the last reading
  std::uint64_t now = 0;
  std::vector<LoadedModule> list;
};

int add_loaded(dl_phdr_info* module, std::size_t /*size*/, void* data) {
  auto& modules = *static_cast<LoadedModules*>(data);
  modules.now = module->dlpi_adds + module->dlpi_subs;
  if (modules.now == modules.seen) return 1;
  LoadedModule found = describe_module(*module);
  if (found.row.end > 0) modules.list.push_back(std::move(found));
  return 0;
}

/// Callback of dl_iterate_phdr.
int add_code(dl_phdr_info* module, std::size_t /*size*/, void* data) {
  auto& loaded = *static_cast<LoadedCode*>(data);
  loaded.unloads = module->dlpi_subs;
  loaded.ranges.push_back(code_of(*module));
  return 0;
}

}  // namespace

std::optional<CodePlace> code_place(const void* address) {
  PlaceSearch search{.address = reinterpret_cast<ElfW(Addr)>(address), .found = {}};
  dl_iterate_phdr(look_for_place, &search);
  return search.found;
}

std::string_view function_at(std::uint64_t address) {
  Dl_info info{};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): tables keep addresses as numbers
  const auto* const code = reinterpret_cast<const void*>(address);
  const bool is_found = dladdr(code, &info) != 0 && info.dli_sname != nullptr;
  return is_found ? info.dli_sname : std::string_view();
}

bool is_mpi_module(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return path.starts_with("libmpi");
}

std::ptrdiff_t caller_distance([[maybe_unused]] const CallSite& call) {
#if defined(__x86_64__)  // only here the return address has a fixed place in a frame
  Walk walk{.frame = call.frame};
  if (call.frame != nullptr) _Unwind_Backtrace(step, &walk);
  return walk.distance;
#else
  return 0;
#endif
}

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
    LoadedCode loaded;
    dl_iterate_phdr(add_code, &loaded);
    retire_all_but(loaded);
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
  LoadedModules loaded{.seen = modules_seen_, .now = 0, .list = {}};
  dl_iterate_phdr(add_loaded, &loaded);
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
