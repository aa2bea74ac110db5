#include "report/record_tables.hpp"

#include "report/latency_table.hpp"
#include "report/overlap_table.hpp"
#include "report/path_table.hpp"
#include "report/protocol_table.hpp"
#include "report/timing_table.hpp"

namespace hockney {

void print_record_tables(std::ostream& out, std::span<const Record> records,
                         const TableStyle& style) {
  const TimedRows rows = timed_rows(records, style.level);
  const PathRows paths = path_rows(records, rows.alone, style.level);
  print_latency_tables(out, paths.alone, style.tails);
  print_overlap_tables(out, overlap_rows(records, style.level));
  print_path_tables(out, paths.compared);
  print_timing_tables(out, rows.compared);
  print_protocol_tables(out, records);
}

}  // namespace hockney
