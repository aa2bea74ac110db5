#include <catch2/catch.hpp>
#include <sstream>

#include "core/quantities.hpp"
#include "models/fit.hpp"
#include "report/curve_tables.hpp"
#include "report/exports.hpp"
#include "tests/pipeline/mock_campaign.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::pipeline {
namespace {

/// Saves the launches, JSON and CBOR in turn, and reads the folder.
std::vector<Record> through_files(const std::vector<Record>& records) {
  const TemporaryFolder folder;
  folder.write("manifest.json", R"({"schema": "hockney.manifest/1"})");
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string name = folder.path() + "/launch-" + std::to_string(i);
    save_record(records[i], name + (i % 2 == 0 ? ".json" : ".cbor"));
  }
  return load_records({folder.path()});
}

template <class Printer>
std::string text_of(Printer print, const std::vector<report::Row>& rows) {
  std::ostringstream out;
  print(out, rows);
  return out.str();
}

// One way takes 1024 + bytes/4 ticks, and 1/8 tick of the clock; 2^-30 s each. Over launches the
// median is off by 0 and the extremes by 3 ticks.
const std::string golden_csv =
    R"(operation,setting,bytes,ranks,hop,path,algorithm,pair,parameters,axes,launches,blocks,warm_up_blocks,undisturbed_blocks,median_seconds,ci_low_seconds,ci_high_seconds,ci_level,mean_seconds,min_seconds,max_seconds,p90_seconds,p99_seconds,p999_seconds,samples,outliers,bandwidth_bytes_per_second,bus_bandwidth_bytes_per_second,skew_seconds,page_faults,flags,reason,host,mpi_library,campaign,date,launch
pingpong,default,0,2,l3,,,0-1,,,7,14,0,14,9.53790731728077e-07,9.509967640042305e-07,9.565846994519234e-07,0.984375,3.864173777401447e-06,9.509967640042305e-07,1.5508499927818775e-05,,,,70,14,,,,,,,node1,Open MPI v4.1.4,golden,2026-01-02T03:04:05Z,
pingpong,default,1024,2,l3,,,0-1,,,7,14,0,14,1.1922093108296394e-06,1.189415343105793e-06,1.1950032785534859e-06,0.984375,4.10259235650301e-06,1.189415343105793e-06,1.5746918506920338e-05,,,,70,14,858909581.3112,,,,,,node1,Open MPI v4.1.4,golden,2026-01-02T03:04:05Z,
pingpong,default,65536,2,l3,,,0-1,,,7,14,0,14,1.6212579794228077e-05,1.620978582650423e-05,1.6215373761951923e-05,0.984375,1.9122962839901447e-05,1.620978582650423e-05,3.0767288990318775e-05,,,,70,14,4042293134.8243423,,,,,,node1,Open MPI v4.1.4,golden,2026-01-02T03:04:05Z,
pingpong,default,8,2,numa,,,,,,0,0,0,0,,,,,,,,,,,0,0,,,,,,one NUMA node,node1,Open MPI v4.1.4,golden,2026-01-02T03:04:05Z,
)";

const std::string golden_table = R"(# setting default  pingpong ranks=2 hop=l3 pair=0-1
# size[B]  time[us]      interval[us]    +-[%]  bandwidth[MB/s]  launches
        0    0.9538  0.9510 .. 0.9566   0.2929                -         7
       1K     1.192    1.189 .. 1.195   0.2344            858.9         7
      64K     16.21    16.21 .. 16.22  0.01723             4042         7
# outliers: 20 % of the samples lie beyond Q3 + 3 IQR; they count
# interval: of the median over launches, 98.4 % confidence

# setting default  pingpong ranks=2 hop=numa
# size[B]  launches
        8         0  not measured (one NUMA node)
# no interval: it comes from launches, and needs 6 of them

)";

}  // namespace

TEST_CASE("samples of a mock machine become exactly these rows and tables") {
  const std::vector<Record> written = mock_campaign(parse_sizes("0,1K,64K"));
  const std::vector<Record> read = through_files(written);
  CHECK(read == written);
  const std::vector<report::Row> rows = report::campaign_rows(read);
  const auto print_csv = [&](std::ostream& out, const std::vector<report::Row>& all) {
    write_csv(out, all, read);
  };
  CHECK(text_of(print_csv, rows) == golden_csv);
  const auto print_table = [](std::ostream& out, const std::vector<report::Row>& all) {
    print_latency_tables(out, all);
  };
  CHECK(text_of(print_table, rows) == golden_table);
}

TEST_CASE("a series keeps every sample, disturbed ones too") {
  const Record record = MockLaunch({}, parse_sizes("64"), 0).measure();
  REQUIRE(record.series.size() == 1);
  const Series& series = record.series.front();
  const double quiet = (1024 + 16 + 0.125) * nanotick;
  const double disturbed = quiet + 1'000'000.0 / 64 * nanotick;
  CHECK(series.samples_seconds == std::vector<double>{quiet, disturbed, quiet, quiet, quiet,  //
                                                      quiet, disturbed, quiet, quiet, quiet});
  CHECK(series.blocks == std::vector<int>{5, 5});
  CHECK(series.batch == 32);
  CHECK(series.summary.median_seconds == quiet);
  CHECK(series.summary.maximum_seconds == disturbed);
  CHECK(record.clock.cost_seconds == 8 * nanotick);
}

TEST_CASE("the fit finds the machine's alpha and beta") {
  const auto records = through_files(mock_campaign(parse_sizes("0,4:64K")));
  const models::Curves curves = models::collect_curves(records);
  REQUIRE(curves.curves.size() == 1);
  const auto result = fit_curve(curves.curves.front());
  REQUIRE(std::holds_alternative<models::Fit>(result));
  const models::Fit& fit = std::get<models::Fit>(result);
  CHECK(fit.launches == 7);
  REQUIRE(fit.segments.size() == 1);
  const models::Segment& segment = fit.segments.front();
  const auto ticks = [](double expected) { return Approx(expected * nanotick).epsilon(1e-12); };
  CHECK(segment.line.alpha_seconds == ticks(1024.125));
  CHECK(segment.line.beta_seconds_per_byte == ticks(0.25));
  REQUIRE(segment.alpha_seconds);
  CHECK(segment.alpha_seconds->low == ticks(1021.125));
  CHECK(segment.alpha_seconds->high == ticks(1027.125));
  CHECK(segment.alpha_seconds->level == 0.984375);
  REQUIRE(segment.beta_seconds_per_byte);
  CHECK(segment.beta_seconds_per_byte->low == ticks(0.25));
  CHECK(segment.beta_seconds_per_byte->high == ticks(0.25));
  CHECK(fit.errors.maximum < 1e-12);
}

TEST_CASE("a launch that dies keeps its visits and stays out of the rows") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/launch.json";
  MockLaunch launch({}, parse_sizes("8,64"), 0);
  Journal journal(file, launch.header());
  const std::vector<MeasurementBlock> blocks = launch.blocks();
  REQUIRE(blocks.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) journal.append(blocks[i]);
  const auto record = recover_journal(file);
  REQUIRE(record);
  CHECK(record->status == LaunchStatus::interrupted);
  std::size_t samples = 0;
  for (const Series& series : record->series) samples += series.samples_seconds.size();
  CHECK(samples == 15);
  save_record(*record, file);
  CHECK(load_record(file) == *record);
  CHECK(report::campaign_rows(load_records({folder.path()})).empty());
}

}  // namespace hockney::pipeline
