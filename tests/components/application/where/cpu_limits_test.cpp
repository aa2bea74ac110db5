#include <catch2/catch.hpp>
#include <filesystem>

#include "components/application/where/cpu_limits.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::where {
namespace {

/// A folder in place of / with a process in a group.
class Root {
 public:
  Root(const std::string& groups, const std::string& mounts) {
    write("proc/self/cgroup", groups);
    write("proc/self/mountinfo", mounts);
  }

  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_.path() + "/" + name;
    std::filesystem::create_directories(file.parent_path());
    folder_.write(name, text);
  }

  [[nodiscard]] std::vector<std::string> limits() const {
    std::vector<std::string> texts;
    for (const CpuLimit& limit : read_cpu_limits(folder_.path())) {
      CHECK(limit.group != 0);
      texts.push_back(limit.file + " " + std::to_string(limit.cpus).substr(0, 3));
    }
    return texts;
  }

 private:
  TemporaryFolder folder_;
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("limits of version 2 are those of a group and of all above it") {
  const Root root("0::/job/step\n", "30 1 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 none rw\n");
  CHECK(root.limits().empty());
  root.write("sys/fs/cgroup/job/step/cpu.max", "150000 100000\n");
  root.write("sys/fs/cgroup/job/cpu.max", "max 100000\n");
  CHECK(root.limits() == Texts{"/sys/fs/cgroup/job/step/cpu.max 1.5"});
  root.write("sys/fs/cgroup/job/cpu.max", "400000 100000\n");
  CHECK(root.limits() ==
        Texts{"/sys/fs/cgroup/job/step/cpu.max 1.5", "/sys/fs/cgroup/job/cpu.max 4.0"});
}

TEST_CASE("limits of version 1 are those of the hierarchy with the controller cpu") {
  const Root root("5:cpuset:/other\n4:cpu,cpuacct:/job\n0::/\n",
                  "31 1 0:27 / /cg/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                  "32 1 0:28 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n"
                  "33 1 0:29 / /cg/unified rw - cgroup2 none rw\n");
  root.write("cg/cpu,cpuacct/job/cpu.cfs_period_us", "50000\n");
  root.write("cg/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  CHECK(root.limits().empty());
  root.write("cg/cpu,cpuacct/job/cpu.cfs_quota_us", "100000\n");
  CHECK(root.limits() == Texts{"/cg/cpu,cpuacct/job/cpu.cfs_quota_us 2.0"});
}

TEST_CASE("in a container the group is at the mount point") {
  const Root inside("0::/docker/abc/x\n",
                    "30 1 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 none rw\n");
  inside.write("sys/fs/cgroup/x/cpu.max", "50000 100000\n");
  CHECK(inside.limits() == Texts{"/sys/fs/cgroup/x/cpu.max 0.5"});
  const Root elsewhere("0::/../../abc\n", "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 none rw\n");
  elsewhere.write("sys/fs/cgroup/cpu.max", "100000 100000\n");
  CHECK(elsewhere.limits() == Texts{"/sys/fs/cgroup/cpu.max 1.0"});
}

}  // namespace hockney::where
