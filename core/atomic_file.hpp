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
  /// Gives it away, open.
  int release() { return std::exchange(number_, -1); }
  void reset() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

/// Collects text for an open file; what could not be written is remembered and not tried again.
class DescriptorBuffer : public std::streambuf {
 public:
  /// Leaves the descriptor open at its end.
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {}

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// errno of the first write that failed; 0 when all that was flushed is written.
  [[nodiscard]] int error() const { return error_; }

 protected:
  int_type overflow(int_type letter) override;
  std::streamsize xsputn(const char* letters, std::streamsize count) override;
  int sync() override;
  /// Takes from `pending` what is to be written now.
  virtual std::string take(std::string& pending);

 private:
  int descriptor_;
  int error_ = 0;
  std::string pending_;
};

/// Who may read a new file: as the umask has it, or its owner alone.
enum class Readers { usual, owner };

/// A file under way. A regular file, or one that is not there yet, is written under no name and put
/// in place as a whole, with the mode and, as far as that is permitted, the owner of the one it
/// replaces: it is what it was before, or all of the new. Symbolic links are followed
/// (link_target); devices, pipes and /dev/stdout are written into. RunError when anything refuses.
class OutputFile {
 public:
  explicit OutputFile(const std::string& file, Readers readers = Readers::usual);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;
  /// Without keep() a regular file is as if there had been none.
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
  std::string file_;       ///< as the user named it, for messages
  std::string target_;     ///< behind all symbolic links
  std::string temporary_;  ///< the name it has until it is kept; empty: none
  bool replaces_ = false;  ///< whether target_ is put in place as a whole
  DescriptorBuffer buffer_;
  std::ostream stream_;
};

/// The whole of an OutputFile at once.
void write_atomically(const std::string& file, std::string_view content,
                      Readers readers = Readers::usual);

/// RunError where an OutputFile of that name could not be made now; nothing is left of the try.
/// Devices and pipes are asked for permission alone.
void check_writable(const std::string& file);

/// RunError where a folder of that name is not there and could not be made, or is there and may not
/// be written into.
void check_writable_folder(const std::string& folder);

/// Resolves the symbolic links of `file`. The target need not exist yet. RunError for a link in a
/// sticky folder that all may write into, such as /tmp, unless the caller or the owner of the
/// folder made it: another user chose what it names.
std::string link_target(const std::string& file);

/// Whether a file of that name would be put in place as a whole, and not written into.
bool is_replaceable(const std::string& file);

/// A file that grows by whole texts: what append() took is with the operating system when it
/// returns, and a text that does not fit leaves nothing behind in a regular file. RunError when it
/// cannot be written.
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

/// The whole content of `file`; InputError when it cannot be read or has more than `most` bytes, of
/// which no more are read.
std::string read_file(const std::string& file,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace hockney
