#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace hockney {
namespace {

/// Removes what was written so far and reports the last system call's error.
[[noreturn]] void give_up(const std::string& temporary, const std::string& file) {
  const std::string why = std::strerror(errno);
  ::unlink(temporary.c_str());
  throw RunError(
      {"cannot write '" + file + "'", why, "check the folder, its permissions and the free space"});
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

void write_atomically(const std::string& file, std::string_view content) {
  const std::string temporary = file + ".tmp." + std::to_string(::getpid());
  {
    const Descriptor out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (out.get() < 0 || !write_all(out.get(), content) || ::fsync(out.get()) != 0) {
      give_up(temporary, file);
    }
  }
  if (std::rename(temporary.c_str(), file.c_str()) != 0) {
    give_up(temporary, file);
  }
}

std::string read_file(const std::string& file, std::size_t most) {
  constexpr std::size_t step = std::size_t{64} << 10U;
  std::error_code unreadable;  // left to the stream, which says why
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
