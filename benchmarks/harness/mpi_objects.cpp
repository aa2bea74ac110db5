#include "benchmarks/harness/mpi_objects.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <limits>
#include <numeric>
#include <string>

#include "benchmarks/harness/environment.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

Message describe(int code, const std::source_location& where) {
  return {fmt::format("an MPI call failed in {}", where.function_name()), text_of(code),
          fmt::format("at {}:{}", where.file_name(), where.line())};
}

/// `call` is the name of the MPI function if the library passes it, else null.
void judge_error(int code, const char* call) {
  const std::string point(current_point());
  if (point.empty()) return;
  const std::string name = call == nullptr ? "an MPI call" : escaped(call);
  std::cerr << "rank " << rank_in(MPI_COMM_WORLD) << ": "
            << to_line({name + " failed at " + point, escaped(text_of(code)),
                        "suspect the MPI library, the network or the file system"})
            << std::endl;
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::run_failed));
}

/// Open MPI passes the function's name after the code; arguments of other libraries are unknown.
const char* call_of([[maybe_unused]] std::va_list more) {
#ifdef OPEN_MPI
  return va_arg(more, char*);
#else
  return nullptr;
#endif
}

// NOLINTBEGIN(cert-dcl50-cpp,readability-non-const-parameter): MPI's types of error handlers
void on_comm_error(MPI_Comm*, int* code, ...) {
  std::va_list more;
  va_start(more, code);
  judge_error(*code, call_of(more));
  va_end(more);
}

void on_file_error(MPI_File*, int* code, ...) {
  std::va_list more;
  va_start(more, code);
  judge_error(*code, call_of(more));
  va_end(more);
}

void on_window_error(MPI_Win*, int* code, ...) {
  std::va_list more;
  va_start(more, code);
  judge_error(*code, call_of(more));
  va_end(more);
}
// NOLINTEND(cert-dcl50-cpp,readability-non-const-parameter)

MPI_Errhandler make_file_handler() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_File_create_errhandler(on_file_error, &handler);
  return handler;
}

}  // namespace

void take_mpi_errors() {
  if (is_simulated()) {  // its errors all have counterparts in real libraries
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    return;
  }
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(on_comm_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
#ifdef OPEN_MPI
  // MPICH 3.4.3, 4.0.2, 4.0.3, 4.3.2 and 5.0.2 release this handler at every MPI_File_close, though
  // MPI_File_open took no reference: the second close aborts. 4.1.3 and 4.2.3 do not.
  handler = make_file_handler();
  MPI_File_set_errhandler(MPI_FILE_NULL, handler);  // for all files opened later
  MPI_Errhandler_free(&handler);
#endif
}

void take_mpi_errors(MPI_File file) {
  if (is_simulated()) return;
  MPI_Errhandler handler = make_file_handler();
  MPI_File_set_errhandler(file, handler);
  MPI_Errhandler_free(&handler);
}

void take_mpi_errors(MPI_Win window) {
  if (is_simulated()) return;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Win_create_errhandler(on_window_error, &handler);
  MPI_Win_set_errhandler(window, handler);
  MPI_Errhandler_free(&handler);
}

MpiError::MpiError(int code, const std::source_location& where) : RunError(describe(code, where)) {}

namespace {

constexpr int bytes_tag = 7;

using ByteList = std::vector<std::byte>;
/// Length of an entry, stored before it in a list of byte strings.
using EntryLength = std::uint64_t;

int message_length(std::size_t bytes) {
  if (bytes <= std::numeric_limits<int>::max()) return static_cast<int>(bytes);
  throw RunError({fmt::format("{} bytes of one message", bytes),
                  "an MPI message counts up to 2^31 - 1", "measure fewer points or samples"});
}

void send(MPI_Comm comm, int rank, const ByteList& bytes) {
  mpi_check(MPI_Send(bytes.data(), message_length(bytes.size()), MPI_CHAR, rank, bytes_tag, comm));
}

/// Appends the data that `rank` has sent.
void receive(MPI_Comm comm, int rank, ByteList& bytes) {
  MPI_Status status;
  mpi_check(MPI_Probe(rank, bytes_tag, comm, &status));
  int count = 0;
  mpi_check(MPI_Get_count(&status, MPI_CHAR, &count));
  const std::size_t before = bytes.size();
  bytes.resize(before + static_cast<std::size_t>(count));
  mpi_check(
      MPI_Recv(bytes.data() + before, count, MPI_CHAR, rank, bytes_tag, comm, MPI_STATUS_IGNORE));
}

/// The entries of `ranks`, each after its length, on the first of them.
ByteList gather_entries(MPI_Comm comm, std::span<const int> ranks, std::span<const std::byte> own) {
  const EntryLength length = own.size();
  ByteList entries(sizeof length);
  std::memcpy(entries.data(), &length, sizeof length);
  entries.insert(entries.end(), own.begin(), own.end());
  const auto position =
      static_cast<std::size_t>(std::ranges::find(ranks, rank_in(comm)) - ranks.begin());
  for (std::size_t step = 1; step < ranks.size(); step *= 2) {
    if ((position & step) != 0) {
      send(comm, ranks[position - step], entries);
      return {};
    }
    if (position + step < ranks.size()) receive(comm, ranks[position + step], entries);
  }
  return entries;
}

std::vector<int> all_ranks(MPI_Comm comm) {
  std::vector<int> ranks(static_cast<std::size_t>(size_of(comm)));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// Calls `take` with each entry.
template <class Take>
void for_each_entry(std::span<const std::byte> entries, Take take) {
  while (!entries.empty()) {
    EntryLength length = 0;
    if (entries.size() >= sizeof length) std::memcpy(&length, entries.data(), sizeof length);
    if (entries.size() < sizeof length || length > entries.size() - sizeof length) {
      refuse_message("a list whose entries are longer than itself");
    }
    take(entries.subspan(sizeof length, length));
    entries = entries.subspan(sizeof length + length);
  }
}

/// RunError unless there is one entry for each rank.
void check_count(std::size_t entries, std::size_t ranks) {
  if (entries == ranks) return;
  refuse_message(fmt::format("a list of {} entries for {} ranks", entries, ranks));
}

}  // namespace

void refuse_message(const std::string& what) {
  throw RunError({"ranks have sent " + what, "it is not what they had", std::string(suspects)});
}

std::vector<ByteList> gather_bytes(MPI_Comm comm, std::span<const int> ranks,
                                   std::span<const std::byte> own) {
  std::vector<ByteList> all;
  for_each_entry(gather_entries(comm, ranks, own),
                 [&](auto entry) { all.emplace_back(entry.begin(), entry.end()); });
  if (!all.empty()) check_count(all.size(), ranks.size());
  return all;
}

std::vector<ByteList> gather_bytes(MPI_Comm comm, std::span<const std::byte> own) {
  return gather_bytes(comm, all_ranks(comm), own);
}

std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text) {
  ByteList entries = gather_entries(comm, all_ranks(comm), std::as_bytes(std::span(text)));
  std::uint64_t length = entries.size();
  mpi_check(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, comm));
  const int count = message_length(length);
  entries.resize(length);
  mpi_check(MPI_Bcast(entries.data(), count, MPI_CHAR, 0, comm));
  std::vector<std::string> texts;
  for_each_entry(entries, [&](auto entry) {
    texts.emplace_back(reinterpret_cast<const char*>(entry.data()), entry.size());
  });
  check_count(texts.size(), static_cast<std::size_t>(size_of(comm)));
  return texts;
}

std::string broadcast_text(MPI_Comm comm, const std::string& text) {
  std::uint64_t bytes = text.size();
  mpi_check(MPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, comm));
  const int length = message_length(bytes);
  std::string shared = text;
  shared.resize(bytes);
  if (length > 0) mpi_check(MPI_Bcast(shared.data(), length, MPI_CHAR, 0, comm));
  return shared;
}

}  // namespace hockney::benchmarks
