#include <catch2/catch.hpp>
#include <utility>

#include "core/suite_names.hpp"
#include "core/text.hpp"

namespace hockney {

using Texts = std::vector<std::string>;

TEST_CASE("a text is wrapped at blanks, and longer words have lines of their own") {
  using Lines = std::vector<std::string>;
  CHECK(wrapped("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrapped("one two three", 6) == Lines{"one", "two", "three"});
  CHECK(wrapped("a longer-than-that b", 8) == Lines{"a", "longer-than-that", "b"});
  CHECK(wrapped("", 8) == Lines{""});
}

TEST_CASE("a long text is shortened between characters") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcdefghij", 8) == "abcd...ij (10 bytes)");
  CHECK(shortened("ab\xC3\xBC"
                  "defgh\xC3\xBC",
                  8) == "ab\xC3\xBC...\xC3\xBC (11 bytes)");
  CHECK(shortened("abc\xC3\xBC"
                  "efgh\xC3\xBCj",
                  8) == "abc...j (12 bytes)");
}

TEST_CASE("the nearest of many names is looked for by the beginning of a long one") {
  const std::string name(1'000'000, 'x');
  Texts names;
  for (int i = 0; i < 100; ++i) names.push_back("operation" + std::to_string(i));
  CHECK(did_you_mean(name, names).empty());
  CHECK(suggest(name, names).starts_with("Nearest of 100: "));
  names.push_back(name.substr(0, 200));
  CHECK(did_you_mean(name, names).empty());
}

TEST_CASE("the nearest name has the fewest edits") {
  const Texts names{"pingpong", "pingping", "exchange", "bandwidth"};
  CHECK(did_you_mean("pingpnog", names) == "did you mean 'pingpong'?");
  CHECK(did_you_mean("pingpin", names) == "did you mean 'pingping'?");
  CHECK(did_you_mean("exchange", names) == "did you mean 'exchange'?");
  CHECK(did_you_mean("bandwith", names) == "did you mean 'bandwidth'?");
}

TEST_CASE("one insertion, deletion or replacement is one edit") {
  // Each target is one edit away and its rival two.
  CHECK(did_you_mean("abc", {"axyc", "abxc"}) == "did you mean 'abxc'?");
  CHECK(did_you_mean("abc", {"a", "ac"}) == "did you mean 'ac'?");
  CHECK(did_you_mean("abc", {"xyc", "xbc"}) == "did you mean 'xbc'?");
  CHECK(did_you_mean("abcd", {"abxy", "abyx"}) == "did you mean 'abxy'?");  // both two: the first
}

TEST_CASE("what is more than two edits away, or another word altogether, is not meant") {
  CHECK(did_you_mean("abcd", {"abcdefg"}).empty());
  CHECK(did_you_mean("bw", {"rs"}).empty());
  CHECK(did_you_mean("bw", {"bx"}) == "did you mean 'bx'?");
  CHECK(did_you_mean("", {"ab", "c"}).empty());
  CHECK(did_you_mean("a", {}).empty());
  CHECK(suggest("link", {"hop", "pair"}) == "Valid: hop, pair");
  CHECK(suggest("a", {}).empty());
}

TEST_CASE("a suggestion names the nearest and all valid names") {
  CHECK(suggest("pingpon", {"exchange", "pingpong"}) ==
        "did you mean 'pingpong'? Valid: exchange, pingpong");
}

TEST_CASE("of many names a suggestion has the nearest few, and says where all are") {
  Texts names{"zzzzzz", "alpha"};
  for (int number = 1; number <= 11; ++number) names.push_back("word" + std::to_string(number));
  CHECK(suggest("alpa", names, "--list") ==
        "did you mean 'alpha'? Nearest of 13: alpha, word1, word2, word3, word4; all: --list");
  CHECK(suggest("word", names) ==
        "did you mean 'word1'? Nearest of 13: word1, word2, word3, word4, word5");
  names.pop_back();
  CHECK(suggest("zzzzz", names, "--list").ends_with("Valid: " + join(names)));
}

TEST_CASE("names of other suites mean operations") {
  const auto operation = [](std::string_view name) { return known_name(name).operation; };
  for (const auto& [name, ours] : std::vector<std::pair<std::string, std::string>>{
           {"latency", "pingpong"},
           {"osu_latency", "pingpong"},
           {"bw", "bandwidth"},
           {"osu_bibw", "bidirectional-bandwidth"},
           {"mbw_mr", "message-rate"},
           {"osu_reduce_scatter_block", "reduce-scatter-block"},
           {"osu_ialltoall", "ialltoall"},
           {"osu_allreduce_persistent", "persistent-allreduce"},
           {"osu_latency_persistent", "persistent-pingpong"},
           {"PingPongAnySource", "anysource-pingpong"},
           {"osu_put_latency", "put"},
           {"put_bw", "put-bandwidth"},
           {"osu_put_bibw", "put-bidirectional-bandwidth"},
           {"get_acc_latency", "get-accumulate"},
           {"osu_fop_latency", "fetch-and-op"},
           {"osu_cas_latency", "compare-and-swap"},
           {"Compare_and_swap", "compare-and-swap"},
           {"Unidir_get", "get"},
           {"osu_latency_mt", "threaded-pingpong"},
           {"osu_latency_mp", "pingpong"},
           {"osu_partitioned_latency", "partitioned-pingpong"},
           {"PingPongMT", "threaded-pingpong"},
           {"PingPingMT", "threaded-pingping"},
           {"SendRecvMT", "threaded-sendrecv"},
           {"ExchangeMT", "threaded-exchange"},
           {"UniBandMT", "threaded-message-rate"},
           {"BiBandMT", "threaded-bidirectional-bandwidth"},
           {"BcastMT", "threaded-bcast"},
           {"ReduceMT", "threaded-reduce"},
           {"AllReduceMT", "threaded-allreduce"},
           {"BarrierMT", "threaded-barrier"},
           {"osu_bw_persistent", "persistent-bandwidth"},
           {"osu_bibw_persistent", "persistent-bidirectional-bandwidth"},
           {"osu_bw_fan_in", "fan-in"},
           {"osu_gatherv_persistent", "persistent-gatherv"},
           {"osu_ineighbor_alltoallw", "ineighbor-alltoallw"},
           {"Iscatterv_pure", "iscatterv"},
           {"PingPingAnySource", "anysource-pingping"},
           {"SendRecv_Replace", "sendrecv-replace"},
           {"Reduce_local", "reduce-local"},
           {"Unirandom", "random-pairs"},
           {"Corandom", "random-pairs-both-ways"},
           {"One_put_all", "one-put-all"},
           {"Get_all_local", "one-get-all"},
           {"All_get_all", "all-get-all"},
           {"Exchange_put", "exchange-put"},
           {"PingPong", "pingpong"},
           {"PingPongSpecificSource", "pingpong"},
           {"Exchange", "exchange"},
           {"Reduce_scatter", "reduce-scatter"},
           {"Ibcast_pure", "ibcast"},
           {"MPI_Allgatherv", "allgatherv"},
           {"osu_init", "init"},
           {"MPI_Comm_split_type", "comm-split-type"},
           {"S_Write_Indv", "file-write"},
           {"P_Read_Priv", "file-read"},
           {"C_IWrite_Shared", "file-iwrite-all"},
           {"C_Read_Expl", "file-read-all"},
           {"Open_Close", "file-open-close"},
           {"ssend-pingpong", "ssend-pingpong"}}) {
    INFO(name);
    CHECK(operation(name) == ours);
  }
}

TEST_CASE("only where another thing is measured there is a remark") {
  for (const char* same :
       {"osu_latency", "bw", "PingPing", "MPI_Bcast", "uniband", "P_Write_Indv", "osu_init"}) {
    CHECK(known_name(same).remark.empty());
  }
  for (const char* other : {"osu_multi_lat", "Biband", "Ialltoall_pure", "Truly_passive_put",
                            "osu_latency_mt", "osu_latency_mp", "osu_bw_fan_out", "Birandom",
                            "Put_all_local", "osu_hello", "P_Write_Expl", "S_Read_Indv"}) {
    CHECK_FALSE(known_name(other).remark.empty());
  }
  CHECK(known_name("S_Write_Shared").remark == "with --pointer shared, of one rank alone");
  CHECK(known_name("S_Write_Shared").parameters.at("pointer") == "shared");
  CHECK(known_name("Get_local").parameters.at("synchronisation") == "flush-local");
  CHECK(known_name("Unidir_get").parameters.empty());
}

TEST_CASE("strings are made of members or by functions, in the order of the items") {
  struct Named {
    std::string name;
  };
  CHECK(strings_of(std::vector<Named>{{"b"}, {"a"}}, &Named::name) == Texts{"b", "a"});
  CHECK(strings_of(std::vector<int>{}, [](int i) { return std::to_string(i); }).empty());
}

TEST_CASE("assignments are joined as key=value, in order of keys") {
  CHECK(join_assignments({}).empty());
  CHECK(join_assignments({{"window", "64"}, {"cache", "hot"}}) == "cache=hot,window=64");
  CHECK(join_assignments({{"a", ""}, {"b", "1"}}, ";") == "a=;b=1");
}

TEST_CASE("join puts separators only between parts") {
  CHECK(join({}).empty());
  CHECK(join({"a"}) == "a");
  CHECK(join({"a", "", "b"}) == "a, , b");
  CHECK(join({"a", "b"}, "-") == "a-b");
}

TEST_CASE("split keeps empty parts") {
  CHECK(split("", ',') == Texts{""});
  CHECK(split("a", ',') == Texts{"a"});
  CHECK(split("a,b,,c", ',') == Texts{"a", "b", "", "c"});
  CHECK(split(",a,", ',') == Texts{"", "a", ""});
}

}  // namespace hockney
