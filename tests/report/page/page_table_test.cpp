#include <catch2/catch.hpp>

#include "report/page/page.hpp"

namespace hockney::report {
namespace {

TEST_CASE("a page has units that suit each number, and the numbers as they are") {
  View view{.headings = {{"name", "name"},
                         {"seconds", "time", Unit::micros},
                         {"bytes", "bytes", Unit::bytes, Form::page},
                         {"messages", "messages", Unit::count, Form::csv | Form::json},
                         {"bytes_per_second", "rate", Unit::byte_rate},
                         {"share", "share", Unit::share}},
            .rows = {{"=a\x1b", 12.5e-6, 1'500'000, 3, 1.2e11, 0.0625},
                     {"b", Value(), 0, 0, Value(), -0.5}}};
  const PageTable table = page_table(view);
  REQUIRE(table.columns.size() == 5);
  CHECK(table.columns.at(1).title == "time");
  CHECK(table.columns.at(3).key == "bytes_per_second");
  CHECK(cell_at(table, 0, "name").text == "=a\\u001b");
  CHECK(cell_at(table, 0, "name").value == "=a\x1b");
  CHECK(cell_at(table, 0, "seconds").text == "12.50 us");
  CHECK(cell_at(table, 0, "seconds").value == 12.5e-6);
  CHECK(cell_at(table, 0, "bytes").text == "1.50 MB");
  CHECK(cell_at(table, 0, "bytes_per_second").text == "120 GB/s");
  CHECK(cell_at(table, 1, "seconds").text == "-");
  CHECK(cell_at(table, 1, "seconds").value == nullptr);
  CHECK(cell_at(table, 1, "share").text == "-50 %");
}

}  // namespace
}  // namespace hockney::report
