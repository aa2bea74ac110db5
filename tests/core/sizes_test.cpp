#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "core/quantities.hpp"
#include "tests/support/error_line.hpp"

namespace hockney {
namespace {

std::vector<std::int64_t> sizes(std::string_view text) {
  std::vector<std::int64_t> values;
  for (const hockney::Bytes size : parse_sizes(text)) values.push_back(size.value);
  return values;
}

using List = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("every suffix is a power of two") {
  CHECK(parse_bytes("0").value == 0);
  CHECK(parse_bytes("64").value == 64);
  CHECK(parse_bytes("64B").value == 64);
  CHECK(parse_bytes("64b").value == 64);
  for (const char* text : {"3K", "3k", "3KB", "3KiB", "3kB", "3kiB"}) {
    CAPTURE(text);
    CHECK(parse_bytes(text).value == 3 * 1024);
  }
  CHECK(parse_bytes("3M").value == 3 * 1024 * 1024);
  CHECK(parse_bytes("3GiB").value == 3LL * 1024 * 1024 * 1024);
  CHECK(parse_bytes("9223372036854775807").value == std::numeric_limits<std::int64_t>::max());
  CHECK(parse_bytes("8589934591G").value == 8589934591LL << 30);
}

TEST_CASE("bad sizes are input errors that name themselves") {
  for (const char* text : {"", " ", "K", "4T", "4KK", "4BB", "4Ki", "4KBi", "4 K", " 4", "4 ", "+4",
                           "-1", "-4K", "4.5", "1e3", "0x10", "4K\n", "four"}) {
    CAPTURE(text);
    const std::string line = input_error_of([&] { return parse_bytes(text); });
    CHECK(line.starts_with("bad size '"));
    CHECK(line.ends_with("write sizes as 64, 4K, 0:4M or 1:4M:8, joined by commas"));
  }
  CHECK(input_error_of([] { return parse_bytes("4T"); }) ==
        "bad size '4T' (the unit is none of K, M, G) write sizes as 64, 4K, 0:4M or 1:4M:8, joined "
        "by commas");
}

TEST_CASE("sizes that do not fit are refused, not wrapped") {
  for (const char* text : {"9223372036854775808", "8589934592G", "9007199254740992K"}) {
    CAPTURE(text);
    CHECK(input_error_of([&] { return parse_bytes(text); }).find("(it is too large)") !=
          std::string::npos);
  }
}

TEST_CASE("a formatted size is the shortest that reads back") {
  CHECK(format_bytes({0}) == "0");
  CHECK(format_bytes({1023}) == "1023");
  CHECK(format_bytes({1024}) == "1K");
  CHECK(format_bytes({1536}) == "1536");
  CHECK(format_bytes({4097}) == "4097");
  CHECK(format_bytes({3 * 1024 * 1024}) == "3M");
  CHECK(format_bytes({1025 * 1024}) == "1025K");
  CHECK(format_bytes({std::int64_t{1} << 40}) == "1024G");
  for (const hockney::Bytes size : parse_sizes("0:4G:5")) {
    CHECK(parse_bytes(format_bytes(size)) == size);
  }
}

TEST_CASE("lists are sorted and hold nothing twice") {
  CHECK(sizes("1K,8,0,8,1024") == List{0, 8, 1024});
  CHECK(sizes("7") == List{7});
}

TEST_CASE("ranges run over powers of two and end at their end") {
  CHECK(sizes("1:16") == List{1, 2, 4, 8, 16});
  CHECK(sizes("0:4") == List{0, 1, 2, 4});
  CHECK(sizes("0:0") == List{0});
  CHECK(sizes("5:5") == List{5});
  CHECK(sizes("3:20") == List{3, 6, 12, 20});
  CHECK(sizes("0:4M").size() == 24);
  CHECK(sizes("2,1:4,100") == List{1, 2, 4, 100});
}

TEST_CASE("steps divide the octave on a logarithmic grid") {
  // 1024 * 2^(i/4), rounded: 1024, 1217.75, 1448.15, 1722.16, 2048.
  CHECK(sizes("1K:2K:4") == List{1024, 1218, 1448, 1722, 2048});
  CHECK(sizes("1:4:2") == List{1, 2, 3, 4});  // 1, 1.41, 2, 2.83, 4
  CHECK(sizes("1K:4K:1") == List{1024, 2048, 4096});
  CHECK(sizes("1K:2K:64").size() == 65);
}

TEST_CASE("a range may end at the largest number there is") {
  const List all = sizes("1:9223372036854775807");
  REQUIRE(all.size() == 64);
  CHECK(all[62] == std::int64_t{1} << 62);
  CHECK(all[63] == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("malformed lists are input errors") {
  for (const char* text :
       {"", ",", "1,", ",1", "1,,2", ":", "1:", ":4", "4:2", "1:2:", "1:4:0", "1:4:-1", "1:4:65",
        "1:4:2K", "1:4:1.5", "1:2:3:4", "-4:4", "1;2", "1 2"}) {
    CAPTURE(text);
    CHECK_FALSE(input_error_of([&] { return parse_sizes(text); }).empty());
  }
  CHECK(input_error_of([] { return parse_sizes("8:4"); }).find("the range runs downwards") !=
        std::string::npos);
}

}  // namespace hockney
