#include "report/view.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "verdicts/compare.hpp"

namespace hockney::report {
namespace {

struct Item {
  std::string name;
  std::optional<double> seconds;
  std::int64_t bytes = 0;
  double share = 0;
};

View some_view() {
  const Columns<Item> columns{
      {{"name", "name"}, [](const Item& one) { return one.name; }},
      {{"seconds", "time", Unit::micros}, [](const Item& one) { return one.seconds; }},
      {{"bytes", "bytes", Unit::bytes}, [](const Item& one) { return one.bytes; }},
      {{"bytes_per_second", "rate", Unit::byte_rate, Form::csv},
       [](const Item& one) {
         return one.seconds ? Value(static_cast<double>(one.bytes) / *one.seconds) : Value();
       }},
      {{"share.of_all", "share", Unit::share}, [](const Item& one) { return one.share; }}};
  return make_view(columns, {{"=a\x1b", 12.5e-6, 1'500'000, 0.0625}, {"b", std::nullopt, 0, -0.5}});
}

TEST_CASE("a terminal has the units of numbers in its header, and no text that does anything") {
  std::ostringstream out;
  print_view(out, "some items", some_view());
  CHECK(out.str() ==
        "# some items\n"
        "# name      time[us]  bytes[B]  share[%]\n"
        "  =a\\u001b     12.50   1500000       6.2\n"
        "  b                -         0     -50.0\n"
        "\n");
}

TEST_CASE("CSV has keys and exact numbers, and nothing where nothing is known") {
  std::ostringstream out;
  write_csv(out, some_view());
  CHECK(out.str() ==
        "name,seconds,bytes,bytes_per_second,share.of_all\n"
        "'=a\\u001b,1.25e-05,1500000,1.2e+11,0.0625\n"
        "b,,0,,-0.5\n");
}

TEST_CASE("JSON has an object for each row, in which dots nest") {
  const nlohmann::json document = to_json(some_view());
  CHECK(document.size() == 2);
  CHECK(document[0] == nlohmann::json{{"name", "=a\x1b"},
                                      {"seconds", 12.5e-6},
                                      {"bytes", 1'500'000},
                                      {"share", {{"of_all", 0.0625}}}});
  CHECK(document[1]["seconds"] == nullptr);
}

TEST_CASE("one item makes an object of its JSON columns, with the words of enumerators") {
  struct Judged {
    std::string setting;
    std::optional<verdicts::Verdict> verdict;
  };
  const Columns<Judged> columns{
      {{"setting", "setting"}, [](const Judged& one) { return known_text(one.setting); }},
      {{"verdict", "verdict"}, [](const Judged& one) { return one.verdict; }},
      {{"shown", "shown", Unit::count, Form::terminal}, [](const Judged&) { return 1; }}};
  CHECK(json_of(columns, {"", verdicts::Verdict::no_evidence}) ==
        nlohmann::json{{"setting", nullptr}, {"verdict", "no evidence"}});
  CHECK(json_of(columns, {"a", std::nullopt}) ==
        nlohmann::json{{"setting", "a"}, {"verdict", nullptr}});
}

TEST_CASE("nothing is printed of no rows, but the keys of CSV") {
  const Columns<Item> columns{{{"name", "name"}, [](const Item& one) { return one.name; }}};
  std::ostringstream out;
  print_view(out, "none", make_view(columns, {}));
  CHECK(out.str().empty());
  write_csv(out, columns, std::vector<Item>{});
  CHECK(out.str() == "name\n");
  CHECK(to_json(make_view(columns, {})) == nlohmann::json::array());
}

TEST_CASE("columns are as wide as their longest cells, and nothing follows the last one") {
  const View view{.headings = {{"l", "l"}, {"m", "m"}, {"r", "r", Unit::count}, {"remark", ""}},
                  .rows = {{"left", "middle", 1, "measured"}, {"a", "b", 200, {}}}};
  CHECK(lines_of(view) == std::vector<std::string>{"l     m         r",
                                                   "left  middle    1  measured",
                                                   "a     b       200"});
}

TEST_CASE("texts stand between rows, and begin with # where awk is to read the table") {
  View view{.headings = {{"bytes", "size", Unit::size}, {"time", "time"}}, .rows = {{8, "1.0"}}};
  view.add_text("  a note");
  std::ostringstream out;
  print_view(out, "pingpong", view);
  CHECK(out.str() == "# pingpong\n# size[B]  time\n        8  1.0\n# a note\n\n");
  std::ostringstream plain;
  plain << without_comments;
  print_view(plain, "pingpong", view);
  CHECK(plain.str() == "pingpong\n  size[B]  time\n        8  1.0\n  a note\n\n");
}

TEST_CASE(
    "a table gives a summary the first measured number of each row, named by what stands before "
    "it") {
  using Row = std::pair<std::int64_t, double>;
  const Columns<Row> columns{
      {{"kernel", "kernel"}, [](const Row&) { return "halo"; }},
      {{"ranks", "ranks", Unit::count}, [](const Row& row) { return row.first; }},
      {{"seconds", "time", Unit::micros},
       [](const Row& row) { return row.second > 0 ? Value(row.second) : Value(); }},
      {{"share", "share", Unit::share}, [](const Row&) { return 0.5; }},
      {{"ci_seconds", "interval", Unit::micros, {}, "", true}, [](const Row& row) {
         return row.second > 0 ? Value(Interval{row.second / 2, row.second * 2, 0.95}) : Value();
       }}};
  const std::vector<SummaryRow> rows =
      rows_of(make_view(columns, std::vector<Row>{{4, 2e-6}, {8, 0}}));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].label == "halo 4 ranks");
  CHECK(rows[0].unit == "us");
  CHECK(rows[0].value.value() == Approx(2));
  CHECK(rows[0].interval.value().low == Approx(1));
  CHECK(rows[0].interval.value().high == Approx(4));
  CHECK(rows[1].label == "halo 8 ranks");
  CHECK_FALSE(rows[1].value);
  CHECK_FALSE(rows[1].interval);
  CHECK(rows_of(View{.headings = {{"name", "name"}}, .rows = {{"x"}}}).empty());
}

TEST_CASE("sizes of one table are spelt alike: with units where all can be, else in bytes") {
  const auto sizes_of = [](const std::vector<std::int64_t>& sizes, Sizes spelling) {
    View view{.headings = {{"bytes", "n", Unit::size}}, .rows = {}};
    for (const std::int64_t size : sizes) view.rows.push_back({size});
    std::ostringstream out;
    print_view(out, "", view, spelling);
    return out.str();
  };
  CHECK(sizes_of({8, 1024, 2 << 20}, Sizes::short_if_alike) ==
        "# n[B]\n     8\n    1K\n    2M\n\n");
  CHECK(sizes_of({8, 1024, 1448}, Sizes::short_if_alike) == "# n[B]\n     8\n  1024\n  1448\n\n");
  CHECK(sizes_of({8, 1024}, Sizes::in_bytes) == "# n[B]\n     8\n  1024\n\n");
  CHECK(spelt_alike({{64}, {1024}}) == std::vector<std::string>{"64", "1K"});
  CHECK(spelt_alike({{1000}, {1024}}) == std::vector<std::string>{"1000", "1K"});
  CHECK(spelt_alike({{1448}, {1024}}) == std::vector<std::string>{"1448", "1024"});
}

TEST_CASE("an interval has two columns of CSV, an array in JSON and one text for people") {
  struct Timed {
    std::optional<Interval> interval;
  };
  const Columns<Timed> columns{
      interval_column<Timed>("a_ci_seconds", Unit::micros,
                             [](const Timed& one) { return one.interval; }),
      interval_column<Timed>("share", Unit::share, [](const Timed& one) { return one.interval; })};
  const View view = make_view(columns, {{Interval{1e-6, 2e-6, 0.95}}, {}});
  std::ostringstream csv;
  write_csv(csv, view);
  CHECK(csv.str() ==
        "a_ci_low_seconds,a_ci_high_seconds,share_low,share_high\n"
        "1e-06,2e-06,1e-06,2e-06\n,,,\n");
  CHECK(to_json(view)[0]["a_ci_seconds"] == nlohmann::json{1e-6, 2e-6});
  CHECK(to_json(view)[1]["a_ci_seconds"] == nullptr);
  CHECK(terminal_text(Interval{1e-6, 2e-6, 0.95}, Unit::micros) == "1.000 .. 2.000");
}

TEST_CASE("chosen columns are in the order of their keys, and every key has one") {
  const Columns<Item> columns{{{"a", "a"}, [](const Item&) { return 1; }},
                              {{"b", "b"}, [](const Item&) { return 2; }}};
  CHECK(chosen(columns, {"b", "a"}).front().heading.key == "b");
  CHECK_THROWS_AS(chosen(columns, {"c"}), std::logic_error);
}

TEST_CASE("each unit is written in its own way") {
  const Value whole{4096};
  CHECK(terminal_text(whole, Unit::count) == "4096");
  CHECK(terminal_text(whole, Unit::size) == "4K");
  CHECK(terminal_text(0.00123456, Unit::seconds) == "0.001235");
  CHECK(terminal_text(2.5e9, Unit::byte_rate) == "2500");
  CHECK(terminal_text(std::numeric_limits<double>::quiet_NaN(), Unit::number) == "-");
  CHECK(share_text(0.123) == "12 %");
  CHECK(share_text(1e-9) == "0 %");
}

}  // namespace
}  // namespace hockney::report
