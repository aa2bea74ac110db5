#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

namespace fs = std::filesystem;

constexpr mode_t new_file_mode = 0666;  // less what the umask takes
constexpr mode_t private_mode = 0600;
constexpr mode_t permission_bits = 0777;
constexpr std::size_t buffered_bytes = 1 << 16;

mode_t mode_of(Readers readers) { return readers == Readers::owner ? private_mode : new_file_mode; }

RunError unwritable(const std::string& file, int error) {
  return RunError({"cannot write '" + file + "'", std::strerror(error),
                   "check the folder, its permissions and the free space"});
}

/// Returns 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::optional<struct stat> status_of(const std::string& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// The number of the open descriptor that /dev/fd/3 or /proc/self/fd/3 names.
std::optional<int> named_descriptor(const fs::path& path) {
  if (path.parent_path() != "/proc/self/fd" && path.parent_path() != "/dev/fd") return std::nullopt;
  return as_number<int>(path.filename().string());
}

/// The rule of fs.protected_symlinks (proc(5)). Linux applies it only when it opens the link
/// itself.
bool may_follow(const fs::path& link) {
  constexpr mode_t for_all = S_ISVTX | S_IWOTH;
  const fs::path parent = link.parent_path();
  const auto folder = status_of(parent.empty() ? "." : parent.string());
  struct stat own {};
  if (!folder || (folder->st_mode & for_all) != for_all) return true;
  return ::lstat(link.c_str(), &own) != 0 || own.st_uid == ::geteuid() ||
         own.st_uid == folder->st_uid;
}

/// Resolves the symbolic links of `file`. The last target may not exist yet. Links of descriptors
/// name no file and stay.
fs::path behind_links(const std::string& file) {
  constexpr int most_links = 40;  // as in Linux
  std::error_code error;
  fs::path path = file;
  for (int link = 0; link < most_links && !named_descriptor(path); ++link) {
    if (!fs::is_symlink(path, error)) return path;
    if (!may_follow(path)) {
      throw RunError({"cannot write '" + file + "'",
                      "another user made the symbolic link '" + path.string() +
                          "' in a folder that all may write into",
                      "name another file"});
    }
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

}  // namespace

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type letter) {
  if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
  const char one = traits_type::to_char_type(letter);
  return xsputn(&one, 1) == 1 ? letter : traits_type::eof();
}

std::streamsize DescriptorBuffer::xsputn(const char* letters, std::streamsize count) {
  if (error_ != 0) return 0;
  try {
    pending_.append(letters, static_cast<std::size_t>(count));
  } catch (const std::bad_alloc&) {  // a stream would hide it: write what is there, then parts
    constexpr std::streamsize least = 256;
    if (count < least) error_ = ENOMEM;
    if (sync() != 0) return 0;
    const std::streamsize half = count / 2;
    const std::streamsize first = xsputn(letters, half);
    return first < half ? first : half + xsputn(letters + half, count - half);
  }
  return pending_.size() < buffered_bytes || sync() == 0 ? count : 0;
}

int DescriptorBuffer::sync() {
  const std::string now = take(pending_);
  if (error_ == 0) error_ = write_all(descriptor_, now);
  return error_ == 0 ? 0 : -1;
}

std::string DescriptorBuffer::take(std::string& pending) {
  return std::exchange(pending, std::string());
}

OutputFile::OutputFile(const std::string& file, Readers readers)
    : readers_(readers),
      file_(file),
      target_(link_target(file)),
      buffer_(open_target()),
      stream_(&buffer_) {}

OutputFile::~OutputFile() {
  ::close(buffer_.descriptor());
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

int OutputFile::open_target() {
  const auto opened = [&](int descriptor) {
    return descriptor >= 0 ? descriptor : throw unwritable(file_, errno);
  };
  if (const auto other = named_descriptor(target_)) {
    return opened(::fcntl(*other, F_DUPFD_CLOEXEC, 0));
  }
  const auto there = status_of(target_);
  if (!there && errno != ENOENT) throw unwritable(file_, errno);
  replaces_ = !there || S_ISREG(there->st_mode);
  if (!replaces_)
    return opened(::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW));
  // Replacing a name needs no permission for the file itself, which its owner may have protected.
  if (there) opened(::access(target_.c_str(), W_OK));
  const int unnamed = open_unnamed();
  return unnamed >= 0 ? unnamed : opened(open_temporary());
}

/// A file without a name disappears however the program ends. Some file systems do not support it.
int OutputFile::open_unnamed() const {
  const fs::path folder = fs::path(target_).parent_path();
  FileDescriptor made(::open(folder.empty() ? "." : folder.c_str(),
                             O_TMPFILE | O_WRONLY | O_CLOEXEC, mode_of(readers_)));
  // Without /proc the file could not get a name later.
  const std::string link = "/proc/self/fd/" + std::to_string(made.get());
  return made.is_open() && ::access(link.c_str(), F_OK) == 0 ? made.release() : -1;
}

int OutputFile::open_temporary() {
  temporary_ = target_ + ".tmp." + std::to_string(::getpid());
  ::unlink(temporary_.c_str());
  const int descriptor = ::open(
      temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_of(readers_));
  if (descriptor < 0) temporary_.clear();
  return descriptor;
}

void OutputFile::copy_owner_and_mode() const {
  const auto there = status_of(target_);
  if (!there || readers_ == Readers::owner) return;
  const int descriptor = buffer_.descriptor();
  const bool is_kept = ::fchown(descriptor, there->st_uid, there->st_gid) == 0 ||
                       ::fchown(descriptor, static_cast<uid_t>(-1), there->st_gid) == 0;
  // A new group must not get the rights of the former one.
  const mode_t lost = is_kept ? 0 : 0070;
  ::fchmod(descriptor, there->st_mode & permission_bits & ~lost);
}

void OutputFile::name_and_replace() {
  if (temporary_.empty()) {
    const std::string name = target_ + ".tmp." + std::to_string(::getpid());
    const std::string unnamed = "/proc/self/fd/" + std::to_string(buffer_.descriptor());
    ::unlink(name.c_str());
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      throw unwritable(file_, errno);
    }
    temporary_ = name;
  }
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) throw unwritable(file_, errno);
  temporary_.clear();
}

void OutputFile::keep() {
  stream_.flush();
  if (buffer_.error() != 0) throw unwritable(file_, buffer_.error());
  if (!replaces_) return;
  copy_owner_and_mode();
  if (::fsync(buffer_.descriptor()) != 0) throw unwritable(file_, errno);
  name_and_replace();
}

void write_atomically(const std::string& file, std::string_view content, Readers readers) {
  OutputFile out(file, readers);
  out.stream() << content;
  out.keep();
}

void check_writable(const std::string& file) {
  if (is_replaceable(file)) {
    OutputFile{file};
  } else if (!named_descriptor(behind_links(file)) && ::access(file.c_str(), W_OK) != 0) {
    throw unwritable(file, errno);
  }
}

void check_writable_folder(const std::string& folder) {
  fs::path there = fs::absolute(folder).lexically_normal();
  std::error_code unreachable;
  while (!fs::exists(there, unreachable) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_directory(there, unreachable)) throw unwritable(folder, ENOTDIR);
  if (::access(there.c_str(), W_OK | X_OK) != 0) throw unwritable(folder, errno);
}

std::string link_target(const std::string& file) { return behind_links(file).string(); }

bool is_replaceable(const std::string& file) {
  const fs::path target = behind_links(file);
  const auto there = status_of(target.string());
  return !named_descriptor(target) && (!there || S_ISREG(there->st_mode));
}

GrowingFile::GrowingFile(std::string file, Begin begin)
    : file_(std::move(file)),
      descriptor_(::open(link_target(file_).c_str(),
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY |
                             (begin == Begin::empty ? O_TRUNC : 0),
                         new_file_mode)) {
  if (!descriptor_.is_open()) throw unwritable(file_, errno);
}

void GrowingFile::append(std::string_view text) const {
  struct stat before {};
  const bool is_regular = ::fstat(descriptor_.get(), &before) == 0 && S_ISREG(before.st_mode);
  const int error = write_all(descriptor_.get(), text);
  if (error == 0) return;
  // A partial line would break later readers.
  if (is_regular && ::ftruncate(descriptor_.get(), before.st_size) != 0)
    throw unwritable(file_, errno);
  throw unwritable(file_, error);
}

std::string read_file(const std::string& file, std::size_t most) {
  constexpr std::size_t step = std::size_t{64} << 10U;
  std::error_code unreadable;  // ignored: the stream reports the reason
  const bool folder = std::filesystem::is_directory(file, unreadable);
  std::ifstream in(file, std::ios::binary);
  const auto reject = [&](const std::string& why) {
    throw InputError({"cannot read '" + file + "'", why, "check the name"});
  };
  if (folder || !in) reject(folder ? "it is a folder" : std::strerror(errno));
  const auto reject_size = [&] { reject("it has more than " + std::to_string(most) + " bytes"); };
  const auto size = std::filesystem::file_size(file, unreadable);
  if (!unreadable && size > most) reject_size();
  std::string content;
  if (!unreadable) content.reserve(size + step);
  while (in) {
    const std::size_t before = content.size();
    content.resize(before + step);
    in.read(content.data() + before, step);
    content.resize(before + static_cast<std::size_t>(in.gcount()));
    if (content.size() > most) reject_size();  // a device, or a file that grows
  }
  if (in.bad()) reject(std::strerror(errno));
  return content;
}

}  // namespace hockney
