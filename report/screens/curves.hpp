#pragma once

#include <span>
#include <string>

#include "core/record.hpp"
#include "report/rows.hpp"
#include "report/screens/screen.hpp"

namespace hockney {

/// A line for each curve of one setting: its time at the smallest size with the interval, which of
/// a ping-pong is the latency; its highest bandwidth, and where; its model. Then the models of up
/// to three curves in segments, with the limits of the library that part them; and, where `blocks`
/// of Unicode may be drawn, how the time grows with the size.
Lines curves_answer(std::span<const Record> records, std::span<const Row> rows, bool blocks);

/// Of up to three curves the time at the smallest size and the highest bandwidth, in one line.
std::string curves_verdict(std::span<const Row> rows);

}  // namespace hockney
