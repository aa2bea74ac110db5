#pragma once

#include <mpi.h>

#include <utility>

namespace hockney::benchmarks {

/// Sole owner of an MPI handle: frees it at the end, moves and never copies. Traits tell the null
/// handle and how to free. (Handles are no template arguments: MPI_COMM_NULL need not be constant.)
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
  /// Where an MPI call puts a new handle; what was owned before is freed.
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

/// A persistent request; those of single operations are completed, never freed.
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

}  // namespace hockney::benchmarks
