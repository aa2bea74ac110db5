#include "benchmarks/harness/file_operations.hpp"

namespace hockney::benchmarks {
namespace {

/// Each rank writes by itself.
struct Write {
  static constexpr FileWords words{.name = "file-write",
                                   .function = "MPI_File_write, _at or _shared",
                                   .is_collective = false,
                                   .is_ordered = false};

  static int individual(const FileTransfer& transfer) {
    return MPI_File_write(transfer.file, transfer.data, transfer.count, transfer.type,
                          MPI_STATUS_IGNORE);
  }

  static int at_offset(const FileTransfer& transfer) {
    return MPI_File_write_at(transfer.file, transfer.offset, transfer.data, transfer.count,
                             transfer.type, MPI_STATUS_IGNORE);
  }

  static int shared(const FileTransfer& transfer) {
    return MPI_File_write_shared(transfer.file, transfer.data, transfer.count, transfer.type,
                                 MPI_STATUS_IGNORE);
  }
};

/// All ranks write together.
struct WriteAll {
  static constexpr FileWords words{.name = "file-write-all",
                                   .function = "MPI_File_write_all, _at_all or _ordered",
                                   .is_collective = true,
                                   .is_ordered = true};

  static int individual(const FileTransfer& transfer) {
    return MPI_File_write_all(transfer.file, transfer.data, transfer.count, transfer.type,
                              MPI_STATUS_IGNORE);
  }

  static int at_offset(const FileTransfer& transfer) {
    return MPI_File_write_at_all(transfer.file, transfer.offset, transfer.data, transfer.count,
                                 transfer.type, MPI_STATUS_IGNORE);
  }

  static int shared(const FileTransfer& transfer) {
    return MPI_File_write_ordered(transfer.file, transfer.data, transfer.count, transfer.type,
                                  MPI_STATUS_IGNORE);
  }
};

/// Each rank writes by itself, without waiting in the call.
struct ImmediateWrite {
  static constexpr FileWords words{.name = "file-iwrite",
                                   .function = "MPI_File_iwrite, _at or _shared, and MPI_Wait",
                                   .is_collective = false,
                                   .is_ordered = false};

  static int individual(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code =
        MPI_File_iwrite(transfer.file, transfer.data, transfer.count, transfer.type, &request);
    return wait_for(code, request);
  }

  static int at_offset(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_File_iwrite_at(transfer.file, transfer.offset, transfer.data,
                                        transfer.count, transfer.type, &request);
    return wait_for(code, request);
  }

  static int shared(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_File_iwrite_shared(transfer.file, transfer.data, transfer.count,
                                            transfer.type, &request);
    return wait_for(code, request);
  }
};

/// All ranks write together, without waiting in the call.
struct ImmediateWriteAll {
  static constexpr FileWords words{
      .name = "file-iwrite-all",
      .function =
          "MPI_File_iwrite_all or _at_all and MPI_Wait, or MPI_File_write_ordered_begin and _end",
      .is_collective = true,
      .is_ordered = true};

  static int individual(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code =
        MPI_File_iwrite_all(transfer.file, transfer.data, transfer.count, transfer.type, &request);
    return wait_for(code, request);
  }

  static int at_offset(const FileTransfer& transfer) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_File_iwrite_at_all(transfer.file, transfer.offset, transfer.data,
                                            transfer.count, transfer.type, &request);
    return wait_for(code, request);
  }

  static int shared(const FileTransfer& transfer) {
    const int code =
        MPI_File_write_ordered_begin(transfer.file, transfer.data, transfer.count, transfer.type);
    if (code != MPI_SUCCESS) return code;
    return MPI_File_write_ordered_end(transfer.file, transfer.data, MPI_STATUS_IGNORE);
  }
};

const Registration<FileWriting<Write>> file_write;
const Registration<FileWriting<WriteAll>> file_write_all;
const Registration<FileWriting<ImmediateWrite>> file_iwrite;
const Registration<FileWriting<ImmediateWriteAll>> file_iwrite_all;

}  // namespace
}  // namespace hockney::benchmarks
