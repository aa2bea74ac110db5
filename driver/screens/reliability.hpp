#pragma once

#include <span>
#include <string>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "report/rows.hpp"
#include "report/screen.hpp"
#include "verdicts/compare.hpp"

namespace hockney::report {

// How far figures can be trusted, in two words. *Disturbed*: other processes ran. *Not repeatable*:
// launches differ. One line of each at most, and one about intervals.

/// The number of close intervals and its rating: "good" if nine of ten are within `precision` of
/// their median, "fair" if half are, else "poor". Without intervals, the reason.
std::string interval_words(std::span<const Row> rows, double precision = default_precision,
                           bool mostly_disturbed = false);

/// "nothing was measured: SIGSEGV in libmpi.so.40 (6 points)", with the most frequent reason.
std::string nothing_words(std::span<const Row> rows);

struct DisturbedWords {
  /// "disturbed: others used 1.6 of 2 CPUs (cc1plus 1.4), 57 % of the blocks left out", with what
  /// to do; empty without any.
  std::string text;
  /// Most launches lacked a free core, or most blocks were left out: it changes the answer.
  bool is_most = false;
};

DisturbedWords disturbed_words(std::span<const Record> records, std::span<const Row> rows);

/// Sets warnings, findings and reliability of a screen of these records. Reliability has at most
/// three lines: disturbed, not repeatable, intervals. Ranks that share CPUs count as disturbed.
/// Findings are worst first: ignored settings, other algorithms than requested, unmeasured points,
/// messages of the MPI library, uneven numbers of CPUs, proof that is lacking or complete.
void add_reliability(Screen& screen, std::span<const Record> records, std::span<const Row> rows,
                     double precision = default_precision);

/// If means of all samples are compared, warns of it. If the records were disturbed, the verdict
/// says that such means cannot judge. Does nothing if medians are compared.
void add_means(Screen& screen, const verdicts::CompareSet& set, const DisturbedWords& disturbed);

/// The cores of one side farther apart than those of the other; empty if they are alike.
std::string different_cores_words(const verdicts::CompareSet& set);

}  // namespace hockney::report
