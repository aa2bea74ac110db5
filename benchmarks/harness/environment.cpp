#include "benchmarks/harness/environment.hpp"

#include <mpi.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/placement.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record_json.hpp"
#include "core/settings.hpp"

namespace hockney::benchmarks {
namespace {

/// Of fixed size: a signal handler must not read a string while it changes.
struct Words {
  std::array<char, 512> text;
  std::atomic<std::size_t> length;
  int users;  ///< ranks at a point: simulated ones share these words
};

Words& words() {
  static constinit Words under_way{};
  return under_way;
}

}  // namespace

std::string point_words(const Point& point) {
  return fmt::format("{} at {} bytes", curve_name(point), point.bytes.value);
}

CurrentPoint::CurrentPoint(const Point& point) {
  const std::string text = point_words(point);
  const std::size_t length = std::min(text.size(), words().text.size());
  words().length = 0;
  std::copy_n(text.begin(), length, words().text.begin());
  words().length = length;
  ++words().users;
}

CurrentPoint::~CurrentPoint() {
  if (--words().users == 0) words().length = 0;
}

std::string_view current_point() { return {words().text.data(), words().length}; }

namespace {

constexpr double silent_seconds = 2;  // later, so that the rank that prints ends first

int limit_signal() { return SIGRTMAX - 2; }  // differs from that of end_with_parent()

using FixedText = std::array<char, 512>;

/// All data of the handler, which must neither allocate memory nor take locks.
struct TimeLimitWatch {
  timer_t timer;
  bool is_set;
  int users;  ///< simulated ranks share one: the first one sets it, and the last one deletes it
  bool prints_errors;
  bool has_leave_out;
  double grace_seconds;
  std::atomic<bool> has_passed;
  FixedText subject;  ///< whose time is limited
  FixedText limit;    ///< as text
  FixedText file;     ///< with the results so far; empty: none
};

TimeLimitWatch& watch() {
  static constinit TimeLimitWatch only{};
  return only;
}

void put(const std::string& text, FixedText& place) {
  const std::size_t length = std::min(text.size(), place.size() - 1);
  std::copy_n(text.begin(), length, place.begin());
  place[length] = '\0';
}

void print(std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0) return;
  }
}

void end_process() {
  if (watch().prints_errors) {
    const std::string_view point = current_point();
    const std::string_view file = watch().file.data();
    print({watch().subject.data(), " takes longer than its limit of ", watch().limit.data(),
           " (it is still", point.empty() ? " between two points" : " at ", point, ") ",
           file.empty() ? "nothing is kept without -o" : "what was measured is in '", file,
           file.empty() ? "" : "'"});
    const bool can_leave_out = watch().has_leave_out && !point.empty();
    if (can_leave_out) print({"; --leave-out '", point, "' leaves the point out"});
    print({"\n"});
  }
  ::_exit(static_cast<int>(ExitCode::run_failed));
}

void on_signal(int) {
  if (watch().has_passed.exchange(true)) end_process();
}

timespec span_of(double seconds) {
  constexpr double shortest = 1e-3;  // 0 would stop the timer
  const double some = std::max(shortest, seconds);
  const double whole = std::floor(some);
  timespec span{};
  span.tv_sec = static_cast<time_t>(whole);
  span.tv_nsec = static_cast<long>((some - whole) * 1e9);
  return span;
}

void set_timer(Seconds limit) {
  const itimerspec times{.it_interval = span_of(watch().grace_seconds),
                         .it_value = span_of(limit.value)};
  ::timer_settime(watch().timer, 0, &times, nullptr);
}

void begin(Seconds limit, const std::string& subject) {
  watch().has_passed = false;
  put(subject, watch().subject);
  put(format_duration(limit), watch().limit);
  set_timer(limit);
}

}  // namespace

TimeLimit::TimeLimit(Seconds limit, ErrorPrinter printer, Seconds grace, bool has_leave_out) {
  TimeLimitWatch& only = watch();
  if (only.users++ > 0) return;
  only.has_leave_out = has_leave_out;
  only.prints_errors = printer == ErrorPrinter::yes;
  only.grace_seconds = grace.value + (only.prints_errors ? 0 : silent_seconds);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = limit_signal();
  if (::sigaction(limit_signal(), &action, nullptr) != 0) return;
  only.is_set = ::timer_create(CLOCK_MONOTONIC, &event, &only.timer) == 0;
  if (only.is_set) begin(limit, "the launch");
}

TimeLimit::~TimeLimit() {
  if (--watch().users > 0) return;
  if (watch().is_set) ::timer_delete(watch().timer);
  watch().is_set = false;
}

void TimeLimit::restart(Seconds limit, const std::string& subject) {
  if (watch().is_set) begin(limit, subject);
}

void TimeLimit::spare() {
  constexpr Seconds minute{60};
  if (watch().is_set) set_timer(minute);
}

void TimeLimit::keeps(const std::string& file) { put(file, watch().file); }

bool TimeLimit::has_passed() { return watch().has_passed; }

std::string TimeLimit::words() {
  return fmt::format("{} took longer than its limit of {}", watch().subject.data(),
                     watch().limit.data());
}

namespace {

/// Not changed by the slewing of NTP, unlike CLOCK_MONOTONIC.
class MonotonicClock final : public TickClock {
 public:
  std::int64_t now() override {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }
  [[nodiscard]] double seconds_per_tick() const override { return 1e-9; }
  [[nodiscard]] std::string source() const override { return "CLOCK_MONOTONIC_RAW"; }
};

class WtimeClock final : public TickClock {
 public:
  explicit WtimeClock(double ticks_per_second) : ticks_per_second_(ticks_per_second) {}
  std::int64_t now() override { return std::llround(MPI_Wtime() * ticks_per_second_); }
  [[nodiscard]] double seconds_per_tick() const override { return 1 / ticks_per_second_; }
  [[nodiscard]] std::string source() const override { return "MPI_Wtime"; }

 private:
  double ticks_per_second_;
};

/// Counts picoseconds, so that rounding stays far below a simulated latency.
std::unique_ptr<TickClock> make_simulated_clock() { return std::make_unique<WtimeClock>(1e12); }

/// ", ch4:ucx": the device of an MPICH build, which determines its paths and limits. Empty if the
/// library names none.
std::string device_of(const std::string& version_text) {
  constexpr std::string_view key = "MPICH Device:";
  const std::size_t line = version_text.find(key);
  if (line == std::string::npos) return "";
  const std::size_t begin = version_text.find_first_not_of(" \t", line + key.size());
  const std::size_t end = version_text.find('\n', line);
  return begin < end ? ", " + version_text.substr(begin, end - begin) : "";
}

}  // namespace

std::string pack(const Host& host) { return json_text(nlohmann::json(host), -1); }

Host unpack_host(const std::string& text) {
  try {
    return hockney::read_value<Host>(parse_json(text, "a host"));
  } catch (const InputError& malformed) {
    throw RunError({malformed.what(), "a rank has sent what it is", std::string(suspects)});
  }
}

void end_with_parent() {
  static pid_t parent = 0;
  parent = ::getppid();
  struct sigaction action {};
  action.sa_handler = [](int) {
    if (::getppid() != parent) ::kill(::getpid(), SIGKILL);
  };
  action.sa_flags = SA_RESTART;
  const int signal = SIGRTMAX - 1;  // not used by the C library or MPI libraries
  if (::sigaction(signal, &action, nullptr) == 0) ::prctl(PR_SET_PDEATHSIG, signal);
}

MpiEnvironment::MpiEnvironment(int& argc, char**& argv) {
  mpi_check(MPI_Init(&argc, &argv));
  prepare();
}

MpiEnvironment::MpiEnvironment(int& argc, char**& argv, LibraryStart& start) {
  start.memory_before = read_memory_use();
  MonotonicClock clock;
  const std::int64_t begin = clock.now();
  const int result = start.thread_level
                         ? MPI_Init_thread(&argc, &argv, *start.thread_level, &start.provided)
                         : MPI_Init(&argc, &argv);
  start.seconds = static_cast<double>(clock.now() - begin) * clock.seconds_per_tick();
  mpi_check(result);
  start.memory_after = read_memory_use();
  prepare();
}

void MpiEnvironment::prepare() {
  take_mpi_errors();
  // A rank must not outlive its launcher: it would disturb the next launch. A simulator's ranks are
  // threads of one process and end with it. Slurm kills remaining ranks.
  const bool launcher_is_parent = std::getenv("SLURM_PROCID") == nullptr;
  if (launcher_is_parent && !is_simulated()) end_with_parent();
}

double MpiEnvironment::finalize() {
  MonotonicClock clock;
  const std::int64_t begin = clock.now();
  MPI_Finalize();
  is_over_ = true;
  return static_cast<double>(clock.now() - begin) * clock.seconds_per_tick();
}

MpiEnvironment::~MpiEnvironment() {
  if (!is_over_) MPI_Finalize();
}

#ifdef HOCKNEY_HAVE_MPI_T

namespace {

/// MPI's thread level; MPI_THREAD_SINGLE before MPI_Init.
int thread_level() {
  int level = MPI_THREAD_SINGLE;
  int has_begun = 0;
  mpi_check(MPI_Initialized(&has_begun));
  if (has_begun != 0) mpi_check(MPI_Query_thread(&level));
  return level;
}

}  // namespace

/// MPI_T_init_thread must ask for the level MPI has: Open MPI 4 and 5 lower MPI's own level to it,
/// and the program's threads lose their locks.
ToolsInterface::ToolsInterface() {
  int provided = 0;
  ready_ = MPI_T_init_thread(thread_level(), &provided) == MPI_SUCCESS;
}

/// MPICH 4.0.2 frees its variables here and crashes when they are read again, so MPI_T stays
/// initialised with MPICH.
ToolsInterface::~ToolsInterface() {
  if (ready_ && !mpi_library().starts_with("MPICH")) MPI_T_finalize();
}

#else

ToolsInterface::ToolsInterface() = default;
ToolsInterface::~ToolsInterface() = default;

#endif

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  mpi_check(MPI_Get_library_version(text.data(), &length));
  const std::string all(text.data());
  return all.substr(0, all.find('\n')) + device_of(all);
}

bool is_simulated() {
  static const bool is_simgrid = mpi_library().find("SMPI") != std::string::npos;
  return is_simgrid;
}

std::unique_ptr<TickClock> make_clock() {
  if (is_simulated()) return make_simulated_clock();
  return std::make_unique<MonotonicClock>();
}

std::unique_ptr<TickClock> make_suite_clock() {
  if (is_simulated()) return make_simulated_clock();
  // Real clocks may count from 1970; in picoseconds that exceeds 64 bits.
  return std::make_unique<WtimeClock>(1e9);
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  mpi_check(MPI_Comm_rank(comm, &rank));
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  mpi_check(MPI_Comm_size(comm, &size));
  return size;
}

}  // namespace hockney::benchmarks

#ifdef HOCKNEY_HAVE_MPI_T

namespace hockney::benchmarks {
namespace {

/// The results of MPI_T_cvar_get_info.
struct Info {
  std::string name;
  std::string description;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum values = MPI_T_ENUM_NULL;
  int bind = 0;
  int scope = 0;
};

std::optional<Info> read_info(int index) {
  std::vector<char> name(1024);
  std::vector<char> text(16384);
  int name_length = static_cast<int>(name.size());
  int text_length = static_cast<int>(text.size());
  int verbosity = 0;
  Info info;
  const int code =
      MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &info.type, &info.values,
                          text.data(), &text_length, &info.bind, &info.scope);
  if (code != MPI_SUCCESS) return std::nullopt;
  info.name = name.data();
  info.description = text.data();
  return info;
}

std::string scope_word(int scope) {
  // No switch: the constants need not be constant expressions.
  if (scope == MPI_T_SCOPE_CONSTANT) return "constant";
  if (scope == MPI_T_SCOPE_READONLY) return "readonly";
  if (scope == MPI_T_SCOPE_LOCAL) return "local";
  if (scope == MPI_T_SCOPE_GROUP || scope == MPI_T_SCOPE_GROUP_EQ) return "group";
  if (scope == MPI_T_SCOPE_ALL || scope == MPI_T_SCOPE_ALL_EQ) return "all";
  return "";
}

std::string type_word(MPI_Datatype type) {
  if (type == MPI_CHAR) return "text";
  if (type == MPI_INT) return "int";
  if (type == MPI_UNSIGNED) return "unsigned";
  if (type == MPI_UNSIGNED_LONG) return "unsigned long";
  if (type == MPI_UNSIGNED_LONG_LONG) return "unsigned long long";
  if (type == MPI_COUNT) return "count";
  if (type == MPI_DOUBLE) return "double";
  if (type == MPI_C_BOOL) return "bool";
  return "";
}

template <class Number>
std::optional<std::string> read_number(MPI_T_cvar_handle handle) {
  Number value{};
  if (MPI_T_cvar_read(handle, &value) != MPI_SUCCESS) return std::nullopt;
  return std::to_string(value);
}

/// nullopt for a value that no bool has, which a variable of the library without memory can return.
std::optional<std::string> read_bool(MPI_T_cvar_handle handle) {
  unsigned char value = 0;
  if (MPI_T_cvar_read(handle, &value) != MPI_SUCCESS || value > 1) return std::nullopt;
  return std::to_string(value);
}

std::optional<std::string> read_text(MPI_T_cvar_handle handle, int count) {
  std::vector<char> text(static_cast<std::size_t>(count) + 1);
  if (MPI_T_cvar_read(handle, text.data()) != MPI_SUCCESS) return std::nullopt;
  return std::string(text.data());
}

std::optional<std::string> read_value(MPI_Datatype type, MPI_T_cvar_handle handle, int count) {
  if (type == MPI_CHAR) return read_text(handle, count);
  if (count != 1) return std::nullopt;
  if (type == MPI_INT) return read_number<int>(handle);
  if (type == MPI_UNSIGNED) return read_number<unsigned>(handle);
  if (type == MPI_UNSIGNED_LONG) return read_number<unsigned long>(handle);
  if (type == MPI_UNSIGNED_LONG_LONG) return read_number<unsigned long long>(handle);
  if (type == MPI_COUNT) return read_number<MPI_Count>(handle);
  if (type == MPI_DOUBLE) return read_number<double>(handle);
  if (type == MPI_C_BOOL) return read_bool(handle);
  return std::nullopt;
}

/// Open MPI 5.0 stores these in local variables of functions that have returned: a read returns
/// other data of the stack. With fault tolerance, which makes mpi_ft_enable settable, it has static
/// storage.
bool is_dangling(const Info& info) {
  const bool is_constant = info.scope == MPI_T_SCOPE_CONSTANT;
  return info.name == "mpi_ft_verbose" || (info.name == "mpi_ft_enable" && is_constant) ||
         info.name == "pml_ucx_multi_send_nb";
}

std::optional<std::string> value_in_force(int index, const Info& info) {
  if (info.bind != MPI_T_BIND_NO_OBJECT || is_dangling(info)) return std::nullopt;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = 0;
  if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return std::nullopt;
  auto value = read_value(info.type, handle, count);
  MPI_T_cvar_handle_free(&handle);
  return value;
}

std::vector<PermittedValue> enumerated_choices(MPI_T_enum values) {
  std::array<char, 256> name{};
  int length = static_cast<int>(name.size());
  int count = 0;
  if (MPI_T_enum_get_info(values, &count, name.data(), &length) != MPI_SUCCESS) return {};
  std::vector<PermittedValue> choices;
  for (int item = 0; item < count; ++item) {
    int number = 0;
    length = static_cast<int>(name.size());
    if (MPI_T_enum_get_item(values, item, &number, name.data(), &length) != MPI_SUCCESS) continue;
    choices.push_back({name.data(), number});
  }
  return choices;
}

/// MPICH lists the values of its algorithms only in descriptions.
std::vector<PermittedValue> choices_of(const Info& info) {
  if (info.values != MPI_T_ENUM_NULL) return enumerated_choices(info.values);
  const bool named = info.name.starts_with("MPIR_CVAR_") && info.type == MPI_INT;
  return named ? described_choices(info.description) : std::vector<PermittedValue>();
}

}  // namespace

std::vector<ControlVariable> control_variables() {
  const ToolsInterface tools;
  std::vector<ControlVariable> variables;
  int count = 0;
  if (!tools.ready() || MPI_T_cvar_get_num(&count) != MPI_SUCCESS) return variables;
  for (int index = 0; index < count; ++index) {
    const auto info = read_info(index);
    if (!info) continue;
    variables.push_back({.name = info->name,
                         .aliases = described_aliases(info->description),
                         .description = info->description,
                         .type = type_word(info->type),
                         .scope = scope_word(info->scope),
                         .value = value_in_force(index, *info),
                         .choices = choices_of(*info)});
  }
  return variables;
}

}  // namespace hockney::benchmarks

#else

namespace hockney::benchmarks {

std::vector<ControlVariable> control_variables() { return {}; }

}  // namespace hockney::benchmarks

#endif

namespace hockney::benchmarks {
namespace {

std::string standard() {
  int major = 0;
  int minor = 0;
  mpi_check(MPI_Get_version(&major, &minor));
  return fmt::format("{}.{}", major, minor);
}

}  // namespace

MpiLibrary describe_mpi() {
  const std::vector<ControlVariable> variables = control_variables();
  MpiLibrary library{.library = mpi_library(), .standard = standard()};
  for (const ControlVariable& variable : variables) {
    if (variable.value) library.settings[variable.name] = *variable.value;
  }
  library.requested = prove_all(steering_environment(), variables);
  return library;
}

}  // namespace hockney::benchmarks
