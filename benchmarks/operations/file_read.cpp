#include "benchmarks/harness/file_operations.hpp"

namespace hockney::benchmarks {
namespace {

/// Each rank reads by itself.
struct Read {
  static constexpr FileWords words{.name = "file-read",
                                   .function = "MPI_File_read, _at or _shared",
                                   .is_collective = false,
                                   .is_ordered = false};

  static int individual(const FileTransfer& transfer) {
    return MPI_File_read(transfer.file, transfer.data, transfer.count, transfer.type,
                         MPI_STATUS_IGNORE);
  }

  static int at_offset(const FileTransfer& transfer) {
    return MPI_File_read_at(transfer.file, transfer.offset, transfer.data, transfer.count,
                            transfer.type, MPI_STATUS_IGNORE);
  }

  static int shared(const FileTransfer& transfer) {
    return MPI_File_read_shared(transfer.file, transfer.data, transfer.count, transfer.type,
                                MPI_STATUS_IGNORE);
  }
};

/// All ranks read together.
struct ReadAll {
  static constexpr FileWords words{.name = "file-read-all",
                                   .function = "MPI_File_read_all, _at_all or _ordered",
                                   .is_collective = true,
                                   .is_ordered = true};

  static int individual(const FileTransfer& transfer) {
    return MPI_File_read_all(transfer.file, transfer.data, transfer.count, transfer.type,
                             MPI_STATUS_IGNORE);
  }

  static int at_offset(const FileTransfer& transfer) {
    return MPI_File_read_at_all(transfer.file, transfer.offset, transfer.data, transfer.count,
                                transfer.type, MPI_STATUS_IGNORE);
  }

  static int shared(const FileTransfer& transfer) {
    return MPI_File_read_ordered(transfer.file, transfer.data, transfer.count, transfer.type,
                                 MPI_STATUS_IGNORE);
  }
};

/// Each rank reads by itself, without waiting in the call.
struct ImmediateRead {
  static constexpr FileWords words{.name = "file-iread",
                                   .function = "MPI_File_iread, _at or _shared, and MPI_Wait",
                                   .is_collective = false,
                                   .is_ordered = false};

  static int individual(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code =
        MPI_File_iread(transfer.file, transfer.data, transfer.count, transfer.type, &request);
    return wait_for(code, request);
  }

  static int at_offset(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_File_iread_at(transfer.file, transfer.offset, transfer.data,
                                       transfer.count, transfer.type, &request);
    return wait_for(code, request);
  }

  static int shared(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_File_iread_shared(transfer.file, transfer.data, transfer.count,
                                           transfer.type, &request);
    return wait_for(code, request);
  }
};

/// All ranks read together, without waiting in the call.
struct ImmediateReadAll {
  static constexpr FileWords words{
      .name = "file-iread-all",
      .function =
          "MPI_File_iread_all or _at_all and MPI_Wait, or MPI_File_read_ordered_begin and _end",
      .is_collective = true,
      .is_ordered = true};

  static int individual(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code =
        MPI_File_iread_all(transfer.file, transfer.data, transfer.count, transfer.type, &request);
    return wait_for(code, request);
  }

  static int at_offset(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_File_iread_at_all(transfer.file, transfer.offset, transfer.data,
                                           transfer.count, transfer.type, &request);
    return wait_for(code, request);
  }

  static int shared(const FileTransfer& transfer) {
    const int code =
        MPI_File_read_ordered_begin(transfer.file, transfer.data, transfer.count, transfer.type);
    if (code != MPI_SUCCESS) return code;
    return MPI_File_read_ordered_end(transfer.file, transfer.data, MPI_STATUS_IGNORE);
  }
};

const Registration<FileReading<Read>> file_read;
const Registration<FileReading<ReadAll>> file_read_all;
const Registration<FileReading<ImmediateRead>> file_iread;
const Registration<FileReading<ImmediateReadAll>> file_iread_all;

}  // namespace
}  // namespace hockney::benchmarks
