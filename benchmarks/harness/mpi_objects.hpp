#pragma once

#include <mpi.h>

#include <cstddef>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {

/// Sole owner of an MPI handle: frees it at destruction, can be moved but not copied. Traits has
/// the null handle and the function that frees. (Handles cannot be template arguments:
/// MPI_COMM_NULL need not be a constant expression.)
template <class Traits>
class UniqueHandle {
 public:
  using Handle = typename Traits::Handle;

  UniqueHandle() = default;
  explicit UniqueHandle(Handle handle) : handle_(handle) {}
  UniqueHandle(const UniqueHandle&) = delete;
  UniqueHandle& operator=(const UniqueHandle&) = delete;
  UniqueHandle(UniqueHandle&& other) noexcept
      : handle_(std::exchange(other.handle_, Traits::null())) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~UniqueHandle() {
    if (handle_ != Traits::null()) Traits::free(&handle_);
  }

  [[nodiscard]] Handle get() const { return handle_; }
  [[nodiscard]] explicit operator bool() const { return handle_ != Traits::null(); }
  /// Address for an MPI call that returns a new handle; frees the previous one.
  Handle* out() {
    UniqueHandle before;
    std::swap(before.handle_, handle_);
    return &handle_;
  }

 private:
  Handle handle_ = Traits::null();
};

struct CommTraits {
  using Handle = MPI_Comm;
  static Handle null() { return MPI_COMM_NULL; }
  static void free(Handle* handle) { MPI_Comm_free(handle); }
};

struct GroupTraits {
  using Handle = MPI_Group;
  static Handle null() { return MPI_GROUP_NULL; }
  static void free(Handle* handle) { MPI_Group_free(handle); }
};

struct DatatypeTraits {
  using Handle = MPI_Datatype;
  static Handle null() { return MPI_DATATYPE_NULL; }
  static void free(Handle* handle) { MPI_Type_free(handle); }
};

struct OpTraits {
  using Handle = MPI_Op;
  static Handle null() { return MPI_OP_NULL; }
  static void free(Handle* handle) { MPI_Op_free(handle); }
};

struct WinTraits {
  using Handle = MPI_Win;
  static Handle null() { return MPI_WIN_NULL; }
  static void free(Handle* handle) { MPI_Win_free(handle); }
};

struct InfoTraits {
  using Handle = MPI_Info;
  static Handle null() { return MPI_INFO_NULL; }
  static void free(Handle* handle) { MPI_Info_free(handle); }
};

struct FileTraits {
  using Handle = MPI_File;
  static Handle null() { return MPI_FILE_NULL; }
  static void free(Handle* handle) { MPI_File_close(handle); }
};

/// A persistent request. Requests of single operations are completed, never freed.
struct RequestTraits {
  using Handle = MPI_Request;
  static Handle null() { return MPI_REQUEST_NULL; }
  static void free(Handle* handle) { MPI_Request_free(handle); }
};

using UniqueComm = UniqueHandle<CommTraits>;
using UniqueGroup = UniqueHandle<GroupTraits>;
using UniqueDatatype = UniqueHandle<DatatypeTraits>;
using UniqueOp = UniqueHandle<OpTraits>;
using UniqueWin = UniqueHandle<WinTraits>;
using UniqueInfo = UniqueHandle<InfoTraits>;
using UniqueFile = UniqueHandle<FileTraits>;
using UniqueRequest = UniqueHandle<RequestTraits>;

/// An MPI call returned an error: text and class from MPI_Error_string, and the place of the call.
class MpiError : public RunError {
 public:
  MpiError(int code, const std::source_location& where);
};

/// Sets an error handler for predefined communicators, those derived from them, and files. While a
/// point is measured (environment.hpp), an error ends the job with exit code 3 and a line, because
/// return codes of timed calls are not checked. Otherwise the call returns the error.
void take_mpi_errors();

/// The same for a window or an open file.
void take_mpi_errors(MPI_Win window);
void take_mpi_errors(MPI_File file);

/// Throws MpiError unless `code` is MPI_SUCCESS. Needs the error handler that MpiEnvironment sets
/// with take_mpi_errors().
inline void mpi_check(int code,
                      const std::source_location& where = std::source_location::current()) {
  if (code != MPI_SUCCESS) throw MpiError(code, where);
}

/// Suggestion for messages that arrive changed.
inline constexpr std::string_view suspects = "suspect the MPI library, the network or the memory";

/// RunError: ranks have sent `what`, which is invalid.
[[noreturn]] void refuse_message(const std::string& what);

/// Parses the number that a rank has sent as text; RunError if it is none.
template <class Number>
Number sent_number(const std::string& text) {
  if (const auto number = as_number<Number>(text)) return *number;
  refuse_message("'" + escaped(text) + "' in place of a number");
}

/// The data of each of `ranks` of `comm`, in their order, on the first of them; empty on the
/// others. Uses a binomial tree, so that a rank receives at most log2(ranks) messages. Called by
/// these ranks, all with the same list. RunError if the data exceed one message.
std::vector<std::vector<std::byte>> gather_bytes(MPI_Comm comm, std::span<const int> ranks,
                                                 std::span<const std::byte> own);

/// The same for all ranks, on rank 0. Collective.
std::vector<std::vector<std::byte>> gather_bytes(MPI_Comm comm, std::span<const std::byte> own);

/// Every rank's text, in order of ranks, on every rank. Collective.
std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text);

/// The text of rank 0, on every rank. Collective.
std::string broadcast_text(MPI_Comm comm, const std::string& text);

}  // namespace hockney::benchmarks
