#pragma once

#include <unistd.h>

#include <cstddef>
#include <limits>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

namespace hockney {

/// A file descriptor that closes itself; negative when empty.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { reset(); }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  /// Returns the descriptor, still open, and empties this one.
  int release() { return std::exchange(number_, -1); }
  void reset() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

/// Buffers text for an open descriptor. After a failed write it keeps the error and writes no more.
class DescriptorBuffer : public std::streambuf {
 public:
  /// Does not close the descriptor.
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {}

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// errno of the first write that failed; 0 if all flushed text is written.
  [[nodiscard]] int error() const { return error_; }

 protected:
  int_type overflow(int_type letter) override;
  std::streamsize xsputn(const char* letters, std::streamsize count) override;
  int sync() override;
  /// Removes from `pending` and returns the text to write now.
  virtual std::string take(std::string& pending);

 private:
  int descriptor_;
  int error_ = 0;
  std::string pending_;
};

/// Who may read a new file: those whom the umask permits, or its owner alone.
enum class Readers { usual, owner };

/// A file that is being written. A new or regular file is written without a name, or under a
/// temporary one, and then put in place as a whole. Readers find either the old or the new content.
/// It keeps the mode and, if permitted, the owner of the file it replaces. Symbolic links are
/// followed (link_target). Devices, pipes and /dev/stdout are written directly. RunError if a
/// system call fails.
class OutputFile {
 public:
  explicit OutputFile(const std::string& file, Readers readers = Readers::usual);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;
  /// Without keep() a regular file is discarded.
  ~OutputFile();

  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Flushes to the disk and puts the file in place.
  void keep();

 private:
  int open_target();
  [[nodiscard]] int open_unnamed() const;
  int open_temporary();
  void copy_owner_and_mode() const;
  void name_and_replace();

  Readers readers_;
  std::string file_;       ///< the user's name of it, for messages
  std::string target_;     ///< the path after resolving all symbolic links
  std::string temporary_;  ///< temporary name until keep(); empty: none
  bool replaces_ = false;  ///< whether keep() replaces target_ as a whole
  DescriptorBuffer buffer_;
  std::ostream stream_;
};

/// Writes a whole OutputFile at once.
void write_atomically(const std::string& file, std::string_view content,
                      Readers readers = Readers::usual);

/// RunError if an OutputFile of that name cannot be made now; leaves no trace. For devices and
/// pipes only the permission is checked.
void check_writable(const std::string& file);

/// RunError if the folder is missing and cannot be made, or exists and is not writable.
void check_writable_folder(const std::string& folder);

/// Resolves the symbolic links of `file`. The target need not exist yet. RunError for a link in a
/// sticky folder that everyone may write to, such as /tmp, if a third user made it. Links of the
/// caller and of the folder's owner are followed.
std::string link_target(const std::string& file);

/// Whether a file of that name would be replaced as a whole, not written directly.
bool is_replaceable(const std::string& file);

/// A file that grows by whole texts. When append() returns, the operating system has the text. A
/// text that does not fit leaves no part of itself in a regular file. RunError if it cannot be
/// written.
class GrowingFile {
 public:
  enum class Begin { empty, end };

  GrowingFile(std::string file, Begin begin);
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  GrowingFile(GrowingFile&&) = delete;
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile() = default;

  void append(std::string_view text) const;

 private:
  std::string file_;
  FileDescriptor descriptor_;
};

/// The whole content of `file`. InputError if it cannot be read or has more than `most` bytes; no
/// more than that are read.
std::string read_file(const std::string& file,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace hockney
