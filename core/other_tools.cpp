#include "core/other_tools.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/text.hpp"

namespace hockney {
namespace {

struct OtherWords {
  WordPlace place = WordPlace::command;
  std::string_view words;
  std::string_view why;
  std::string_view advice;
};

constexpr std::string_view own_ranks = "hockney starts ranks itself";

constexpr std::array<OtherWords, 31> other_words{
    {{WordPlace::command, "list configs benchmarks operations tests --list -l -list",
      "hockney run has the list", "hockney run --list shows what can be measured"},
     {WordPlace::command, "bench benchmark measure test start", "the command is run",
      "hockney run quick, or an operation: hockney run allreduce"},
     {WordPlace::command, "osu omb imb", "hockney run has their benchmarks",
      "hockney run osu_latency, or hockney run IMB-MPI1 Allreduce"},
     {WordPlace::command,
      "mpip itac vtune aps ipm tau scorep score-p scalasca vampir darshan trace perf record prof",
      "the command is profile", "hockney profile -- mpirun -n 4 ./app"},
     {WordPlace::command, "plot show results result view summary print page",
      "the command is report", "hockney report results/x, with -o page.html for pictures"},
     {WordPlace::command, "diff", "the command is compare",
      "hockney compare results/before results/after"},
     {WordPlace::command, "model models extrap extra-p", "the commands are fit and scale",
      "hockney fit results/x, or hockney scale -- mpirun -n {} ./app for a program"},
     {WordPlace::command, "version -v -V", "it is an option", "hockney --version"},
     {WordPlace::command, "mpirun mpiexec srun -n -np --np", own_ranks,
      "hockney run allreduce --ranks 4, or hockney profile -- mpirun -n 4 ./app"},

     {WordPlace::run_option, "-m --message-size --message-sizes --msg-size -msglog --msglog",
      "sizes have one option", "--sizes 8:1K, or --sizes 0,8,64K"},
     {WordPlace::run_option, "-i --iterations --iter -iter -iter_policy",
      "hockney chooses the number of calls by their time",
      "--budget 30s, --launches 10 or --precision 5% say how long it measures"},
     {WordPlace::run_option, "-x",
      "hockney warms up itself, and launches have the shell's variables",
      "UCX_TLS=tcp hockney run latency, or --vary UCX_TLS=default,tcp"},
     {WordPlace::run_option, "--warmup --warm-up --skip", "hockney warms up itself",
      "leave it out"},
     {WordPlace::run_option, "-genv -env --env --export", "launches have the shell's variables",
      "I_MPI_FABRICS=shm hockney run latency, or --vary I_MPI_FABRICS=default,shm"},
     {WordPlace::run_option, "--mca -mca", "settings of Open MPI are variables",
      "OMPI_MCA_btl=self,tcp hockney run latency, or --vary OMPI_MCA_btl=default,self+tcp"},
     {WordPlace::run_option, "--bind-to -bind-to --map-by -map-by --rank-by --cpu-bind",
      "the launched program binds ranks", "hockney run hops -- --bind compact, or scatter, or 0,2"},
     {WordPlace::run_option, "-W --window-size --window", "windows are an option of the program",
      "hockney run bw -- --window 64"},
     {WordPlace::run_option, "-d --accelerator --memory", "memory is an option of the program",
      "hockney run latency -- --memory cuda"},
     {WordPlace::run_option, "-f --full -z --tail-lat",
      "minimum, mean and maximum are always printed", "--tails adds high quantiles"},
     {WordPlace::run_option, "-c --validation -check --check", "data are checked in every launch",
      "leave it out"},
     {WordPlace::run_option, "-n -np --np -N --ntasks -ppn --ppn -p --procs -npmin", own_ranks,
      "--ranks 4, or --vary ranks=2,4,8"},
     {WordPlace::run_option, "-t --time -time", "a campaign has a budget", "--budget 30s"},
     {WordPlace::run_option, "-o --output", "a campaign has a folder",
      "--out results/x; --csv > x.csv for a table"},
     {WordPlace::run_option,
      "-H --host --hosts -host -hosts --hostfile -hostfile -machinefile --machinefile",
      "hosts are those of the job",
      "hockney run in a job of salloc or qsub, or name the file in a "
      "config: \"launcher\": {\"arguments\": [\"--hostfile\", \"hosts\"]}"},
     {WordPlace::run_option, "--benchmark --benchmarks --operation --operations -b",
      "operations are words", "hockney run allreduce bcast"},

     {WordPlace::program_option, "-n -np --np -N --ntasks", "the launcher is part of the command",
      "hockney profile -- mpirun -n 4 ./app"},

     {WordPlace::operation, "all everything osu omb imb mpi default",
      "a campaign measures the operations that it is given",
      "hockney run osu_latency osu_bw; hockney run --list shows campaigns of many"},
     {WordPlace::operation, "p2p pt2pt point-to-point", "each operation is named",
      "hockney run latency bw"},
     {WordPlace::operation, "collective collectives coll", "each operation is named",
      "hockney run allreduce bcast alltoall"},
     {WordPlace::operation, "d h md mh", "memory is an option of the program",
      "hockney run latency -- --memory cuda, or host-to-cuda, or cuda-to-host"},
     {WordPlace::operation, "mpirun mpiexec srun", own_ranks,
      "hockney run osu_latency --ranks 2"}}};

}  // namespace

std::optional<OtherToolAdvice> other_tool_advice(WordPlace place, std::string_view word) {
  std::string plain(word);
  if (!word.starts_with('-')) {
    std::ranges::transform(plain, plain.begin(), [](unsigned char letter) {
      return static_cast<char>(std::tolower(letter));
    });
  }
  const auto* const found = std::ranges::find_if(other_words, [&](const OtherWords& other) {
    return other.place == place && std::ranges::count(split(other.words, ' '), plain) > 0;
  });
  if (found == other_words.end()) return std::nullopt;
  return OtherToolAdvice{std::string(found->why), std::string(found->advice)};
}

}  // namespace hockney
