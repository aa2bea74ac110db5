#include "report/view.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

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
      {{"bytes_per_second", "rate", Unit::byte_rate, Form::page | Form::csv},
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

TEST_CASE("nothing is printed of no rows, but the keys of CSV") {
  const Columns<Item> columns{{{"name", "name"}, [](const Item& one) { return one.name; }}};
  std::ostringstream out;
  print_view(out, "none", make_view(columns, {}));
  CHECK(out.str().empty());
  write_csv(out, columns, std::vector<Item>{});
  CHECK(out.str() == "name\n");
  CHECK(to_json(make_view(columns, {})) == nlohmann::json::array());
}

TEST_CASE("each unit is written in its own way") {
  const Value whole{4096};
  CHECK(terminal_text(whole, Unit::count) == "4096");
  CHECK(page_text(whole, Unit::size) == "4K");
  CHECK(terminal_text(whole, Unit::size) == "4K");
  CHECK(terminal_text(0.00123456, Unit::seconds) == "0.001235");
  CHECK(page_text(0.00123456, Unit::seconds) == "1.235 ms");
  CHECK(terminal_text(2.5e9, Unit::byte_rate) == "2500");
  CHECK(terminal_text(std::numeric_limits<double>::quiet_NaN(), Unit::number) == "-");
  CHECK(share_text(0.123) == "12 %");
  CHECK(share_text(1e-9) == "0 %");
}

}  // namespace
}  // namespace hockney::report
