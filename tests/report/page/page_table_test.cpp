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
  CHECK(csv_of(view) ==
        "name,seconds,bytes,bytes_per_second,share\n'=a\\u001b,1.25e-05,1500000,1.2e+11,0.0625\n"
        "b,,0,,-0.5\n");
  CHECK(page_text_at(view, 0, "name") == "=a\\u001b");
  CHECK(page_text_at(view, 0, "seconds") == "12.50 us");
  CHECK(page_text_at(view, 0, "bytes") == "1.50 MB");
  CHECK(page_text_at(view, 0, "bytes_per_second") == "120.0 GB/s");
  CHECK(page_text_at(view, 1, "seconds") == "-");
  CHECK(page_text_at(view, 1, "share") == "-50 %");
  const nlohmann::json values = values_of(view);
  CHECK(values[0].at("name") == "=a\\u001b");
  CHECK(values[1].at("seconds").is_null());
  CHECK_FALSE(values[1].contains("messages"));
}

}  // namespace
}  // namespace hockney::report
