#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "tests/support/error_line.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {

namespace fs = std::filesystem;

namespace {

std::size_t entries(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

constexpr const char* no_room =
    "' (No space left on device) check the folder, its permissions and the free space";

}  // namespace

TEST_CASE("what is written is read back, byte for byte") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/a";
  const std::string content("one\n\0two\r\n\xff", 11);
  write_atomically(file, content);
  CHECK(read_file(file) == content);
  write_atomically(file, "");
  CHECK(read_file(file).empty());
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("writing replaces the file, and a hard link keeps the old one whole") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a", "old");
  fs::create_hard_link(file, folder.path() + "/link");
  write_atomically(file, "new");
  CHECK(read_file(file) == "new");
  CHECK(read_file(folder.path() + "/link") == "old");
}

TEST_CASE("a write that fails is a run error and leaves nothing behind") {
  const TemporaryFolder folder;
  const std::string target = folder.path() + "/folder";
  fs::create_directories(target + "/full");
  CHECK_THROWS_AS(write_atomically(target, "x"), RunError);  // a folder cannot be replaced
  CHECK(entries(folder.path()) == 1);
  CHECK_THROWS_AS(write_atomically(folder.path() + "/missing/a", "x"), RunError);
}

TEST_CASE("symbolic links stay, and what they name is replaced") {
  const TemporaryFolder folder;
  const std::string link = folder.path() + "/link";
  const std::string file = folder.write("there/a", "old");
  fs::create_symlink("there/a", folder.path() + "/first");
  fs::create_symlink("first", link);
  write_atomically(link, "new");
  CHECK(read_file(file) == "new");
  CHECK(fs::is_symlink(link));
  CHECK(entries(folder.path() + "/there") == 1);

  fs::remove(file);  // a link may name what is not there yet
  write_atomically(link, "made");
  CHECK(read_file(file) == "made");
  CHECK(entries(folder.path()) == 3);

  fs::create_symlink("loop", folder.path() + "/loop");
  CHECK(error_line([&] {
          write_atomically(folder.path() + "/loop", "x");
        }).find("Too many levels of symbolic links") != std::string::npos);
}

/// A sticky folder that all may write into, such as /tmp, with a link of another user to "mine".
struct SharedFolder {
  TemporaryFolder own;
  std::string mine = own.write("mine", "precious");
  std::string folder = own.path() + "/shared";
  std::string link = folder + "/page.html";

  explicit SharedFolder(const std::string& target = "../mine") {
    fs::create_directory(folder);
    REQUIRE(::chmod(folder.c_str(), 01777) == 0);
    fs::create_symlink(target, link);
    constexpr uid_t no_rank = 65534;
    REQUIRE(::lchown(link.c_str(), no_rank, no_rank) == 0);
  }
};

TEST_CASE("a link that another user made in a folder for all is not followed") {
  if (::geteuid() != 0) return;  // only root gives a link away
  for (const char* target : {"../mine", "../not-there", "/dev/null"}) {
    const SharedFolder shared(target);
    const std::string refused = "cannot write '" + shared.link +
                                "' (another user made the symbolic link '" + shared.link +
                                "' in a folder that all may write into) name another file";
    CHECK(error_line([&] { write_atomically(shared.link, "new"); }) == refused);
    CHECK(error_line([&] { GrowingFile(shared.link, GrowingFile::Begin::end); }) == refused);
    CHECK(error_line([&] { link_target(shared.link); }) == refused);
    CHECK(read_file(shared.mine) == "precious");
    CHECK(entries(shared.own.path()) == 2);
    // A link to that link is one, too.
    fs::create_symlink("shared/page.html", shared.own.path() + "/first");
    CHECK_THROWS_AS(write_atomically(shared.own.path() + "/first", "new"), RunError);
    CHECK(fs::is_symlink(shared.link));
  }
}

TEST_CASE("links of the caller, of the folder's owner and in other folders are followed") {
  if (::geteuid() != 0) return;
  const SharedFolder own;
  REQUIRE(::lchown(own.link.c_str(), 0, 0) == 0);
  write_atomically(own.link, "new");
  CHECK(read_file(own.mine) == "new");
  const SharedFolder of_owner;
  constexpr uid_t no_rank = 65534;
  REQUIRE(::chown(of_owner.folder.c_str(), no_rank, no_rank) == 0);
  write_atomically(of_owner.link, "new");
  CHECK(read_file(of_owner.mine) == "new");
  for (const mode_t mode : {0777U, 01775U}) {
    const SharedFolder other;
    REQUIRE(::chmod(other.folder.c_str(), mode) == 0);
    write_atomically(other.link, "new");
    CHECK(read_file(other.mine) == "new");
  }
}

TEST_CASE("a file keeps mode and owner when it is replaced") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a", "old");
  REQUIRE(::chmod(file.c_str(), 0640) == 0);
  const bool is_root = ::geteuid() == 0;
  if (is_root) REQUIRE(::chown(file.c_str(), 12, 34) == 0);
  write_atomically(file, "new");
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
  if (is_root) CHECK(status.st_uid == 12);
  if (is_root) CHECK(status.st_gid == 34);

  const mode_t mask = ::umask(027);
  write_atomically(folder.path() + "/b", "new");
  ::umask(mask);
  REQUIRE(::stat((folder.path() + "/b").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("devices are written into and stay devices") {
  const TemporaryFolder folder;
  const TemporaryFolder links;
  const std::string device = folder.full_device();
  const std::string link = links.path() + "/link";
  fs::create_symlink(device, link);
  for (const std::string& file : {device, link}) {
    CHECK(error_line([&] { write_atomically(file, "x"); }) == "cannot write '" + file + no_room);
    CHECK_FALSE(is_replaceable(file));
  }
  CHECK(fs::is_character_file(device));
  CHECK(fs::is_symlink(link));
  CHECK(entries(folder.path()) <= 1);
  CHECK(entries(links.path()) == 1);
}

TEST_CASE("pipes are written into and stay pipes") {
  const TemporaryFolder folder;
  const std::string pipe = folder.path() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  write_atomically(pipe, "through");
  std::array<char, 8> text{};
  CHECK(::read(reader, text.data(), text.size()) == 7);
  CHECK(std::string(text.data()) == "through");
  ::close(reader);
  CHECK(fs::is_fifo(pipe));
  CHECK_FALSE(is_replaceable(pipe));
}

TEST_CASE("the name of an open file is that file") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a", "");
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  for (const char* const prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    const std::string name = prefix + std::to_string(descriptor);
    CHECK_FALSE(is_replaceable(name));
    write_atomically(name, "x");
  }
  ::close(descriptor);
  CHECK(read_file(file) == "xx");
}

TEST_CASE("what is not kept is as if it had never been") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a", "old");
  {
    OutputFile out(file);
    out.stream() << std::string(1 << 20, 'x') << std::flush;
    CHECK(entries(folder.path()) == 1);  // no name until it is whole
  }
  CHECK(read_file(file) == "old");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a limit on the size of files leaves the old file whole") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a", "old");
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 1000, .rlim_max = before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string said = error_line([&] { write_atomically(file, std::string(2000, 'x')); });
  const GrowingFile growing(file + ".lines", GrowingFile::Begin::end);
  growing.append(std::string(600, 'a'));
  const std::string grown = error_line([&] { growing.append(std::string(600, 'b')); });
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK(said == "cannot write '" + file +
                    "' (File too large) check the folder, its permissions and the free space");
  CHECK(grown.find("(File too large)") != std::string::npos);
  CHECK(read_file(file) == "old");
  CHECK(read_file(file + ".lines") == std::string(600, 'a'));  // no half of a line
  CHECK(entries(folder.path()) == 2);
}

TEST_CASE("a growing file begins empty or goes on") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a", "1\n");
  GrowingFile(file, GrowingFile::Begin::end).append("2\n");
  CHECK(read_file(file) == "1\n2\n");
  GrowingFile(file, GrowingFile::Begin::empty).append("3\n");
  CHECK(read_file(file) == "3\n");
  const std::string device = folder.full_device();
  CHECK(error_line([&] { GrowingFile(device, GrowingFile::Begin::end).append("x"); }) ==
        "cannot write '" + device + no_room);
}

TEST_CASE("a protected file is not replaced") {
  if (::geteuid() == 0) return;  // who may write everything
  const TemporaryFolder folder;
  const std::string file = folder.write("a", "old");
  REQUIRE(::chmod(file.c_str(), 0444) == 0);
  CHECK(error_line([&] { write_atomically(file, "new"); }).find("Permission denied") !=
        std::string::npos);
  CHECK(read_file(file) == "old");
}

TEST_CASE("what cannot be read is an input error that names it") {
  const TemporaryFolder folder;
  const std::string missing = folder.path() + "/missing";
  CHECK(input_error_of([&] { return read_file(missing); }) ==
        "cannot read '" + missing + "' (No such file or directory) check the name");
  CHECK(input_error_of([&] { return read_file(folder.path()); }) ==
        "cannot read '" + folder.path() + "' (it is a folder) check the name");
  const std::string long_name = "./" + std::string(300, 'a');
  CHECK(input_error_of([&] { return read_file(long_name); }) ==
        "cannot read '" + long_name + "' (File name too long) check the name");
}

namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

FileDescriptor opened() { return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

TEST_CASE("a file descriptor closes at the end, and earlier when it is reset") {
  int number = -1;
  {
    const FileDescriptor null = opened();
    REQUIRE(null.is_open());
    number = null.get();
    CHECK(is_open(number));
  }
  CHECK_FALSE(is_open(number));
  FileDescriptor null = opened();
  number = null.get();
  null.reset();
  CHECK_FALSE(null.is_open());
  CHECK_FALSE(is_open(number));
}

TEST_CASE("a file descriptor that moves or is released stays open once") {
  FileDescriptor first = opened();
  const int number = first.get();
  FileDescriptor second = std::move(first);
  CHECK(second.get() == number);
  CHECK(second.release() == number);
  CHECK_FALSE(second.is_open());
  CHECK(is_open(number));
  CHECK(::close(number) == 0);
}

}  // namespace hockney
