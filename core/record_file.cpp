#include "core/record_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/nil_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/node_records.hpp"
#include "core/point_choice.hpp"
#include "core/record_json.hpp"
#include "core/samples.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"

namespace hockney {

std::string content_digest(std::string_view content) {
  const boost::uuids::name_generator_sha1 generate(boost::uuids::nil_uuid());
  return to_string(generate(content.data(), content.size()));
}

namespace {

namespace fs = std::filesystem;

/// A file that may be a record.
struct PossibleRecord {
  std::string file;
  bool named = false;  ///< named by the user; it must then be a record
};

std::vector<fs::path> documents_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    const bool document = extension == ".json" || extension == ".cbor";
    if (entry.is_regular_file() && document) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<PossibleRecord> candidates_of(const std::vector<std::string>& paths) {
  std::vector<PossibleRecord> candidates;
  for (const std::string& path : paths) {
    std::error_code unreachable;
    if (!fs::is_directory(path, unreachable)) {
      candidates.push_back({.file = path, .named = true});
      continue;
    }
    for (const fs::path& file : documents_below(path))
      candidates.push_back({.file = file.string()});
  }
  return candidates;
}

JsonNode document_of(const PossibleRecord& candidate) {
  const std::string& file = candidate.file;
  if (!candidate.named) return load_json(file);
  return parse_record_document(read_file(file, DocumentLimits().bytes), file);
}

constexpr std::string_view journal_ending = ".journal";

/// InputError for a path of the user that does not exist.
void check_existence(const std::string& file) {
  std::error_code unreachable;
  if (fs::exists(file, unreachable)) return;
  const std::string missing = fmt::format("'{}' does not exist", file);
  if (fs::exists(journal_name(file), unreachable)) {
    throw InputError({missing, "its launch is not over, or died",
                      fmt::format("name {} for what it measured", journal_name(file))});
  }
  throw InputError({missing, "records are read from files and folders", "check the name"});
}

Record load_journal(const std::string& file) {
  std::ifstream lines(file);
  auto record = read_journal(lines, file);
  if (record) return std::move(*record);
  throw InputError({file, "the launch ended before it had a whole first line", "measure again"});
}

/// The records of a document: several nodes, one launch, or none if it is another document.
std::vector<Record> read(const PossibleRecord& candidate) {
  if (candidate.named) check_existence(candidate.file);
  if (candidate.file.ends_with(journal_ending)) return {load_journal(candidate.file)};
  const JsonNode document = document_of(candidate);
  if (is_nodes(document)) return read_nodes(document);
  if (candidate.named) return {read_record(document)};
  auto record = read_if_record(document);
  return record ? std::vector{std::move(*record)} : std::vector<Record>();
}

std::vector<Record> load(const PossibleRecord& candidate, Kept kept) {
  auto records = read(candidate);
  if (kept == Kept::times) std::ranges::for_each(records, keep_times);
  return records;
}

/// Whether a wrong file of a folder ends the loading.
enum class WrongFiles { end_loading, are_left_out };

/// Reads files in several threads; each takes the next file that no thread has begun.
class Loading {
 public:
  Loading(const std::vector<PossibleRecord>& candidates, Kept kept, ReadRecords read,
          WrongFiles wrong_files)
      : candidates_(candidates),
        kept_(kept),
        wrong_files_(wrong_files),
        records_(candidates.size()),
        errors_(candidates.size()),
        end_(candidates.size()) {
    for (std::size_t i = 0; i < end_ && !read.empty(); ++i) {
      auto known = read.extract(candidates[i].file);
      if (known) records_[i].push_back(std::move(known.mapped()));
    }
  }

  /// Returns the records of each candidate, or throws the exception of the first wrong one.
  std::vector<std::vector<Record>> run() {
    {
      std::vector<std::jthread> others;
      const std::size_t wanted = std::min<std::size_t>(most_threads(), candidates_.size());
      while (others.size() + 1 < wanted && start(others)) {
      }
      work();
    }
    if (end_ < candidates_.size()) std::rethrow_exception(errors_[end_]);
    return std::move(records_);
  }

  /// The errors of the files that were left out, in order.
  [[nodiscard]] std::vector<std::exception_ptr> errors() const {
    std::vector<std::exception_ptr> errors = errors_;
    std::erase(errors, nullptr);
    return errors;
  }

 private:
  /// More threads would wait for the disk and need memory for a document each.
  static unsigned most_threads() { return std::min(std::thread::hardware_concurrency(), 16U); }

  /// False if the system cannot start another thread; fewer threads do the same work.
  bool start(std::vector<std::jthread>& threads) try {
    threads.emplace_back([this] { work(); });
    return true;
  } catch (const std::system_error&) {
    return false;
  }

  void work() {
    const Record* last = nullptr;  // of this thread
    for (std::size_t i = next_++; i < end_; i = next_++) {
      try {
        auto& records = records_[i];
        if (records.empty()) records = load(candidates_[i], kept_);
        if (records.empty()) continue;
        std::ranges::for_each(records, name_host);
        if (last != nullptr) records.front().points.share(last->points);
        last = &records.front();
      } catch (const Error&) {
        errors_[i] = std::current_exception();
        const bool is_left_out = wrong_files_ == WrongFiles::are_left_out && !candidates_[i].named;
        if (!is_left_out) end_at(i);
      } catch (...) {
        errors_[i] = std::current_exception();
        end_at(i);
      }
    }
  }

  /// Files after a wrong one need not be read; earlier ones may be wrong too.
  void end_at(std::size_t candidate) {
    const std::scoped_lock lock(ending_);
    if (candidate < end_) end_ = candidate;
  }

  const std::vector<PossibleRecord>& candidates_;
  Kept kept_;
  WrongFiles wrong_files_;
  std::vector<std::vector<Record>> records_;
  std::vector<std::exception_ptr> errors_;  ///< of each candidate
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> end_;
  std::mutex ending_;
};

std::vector<Record> taken(std::vector<std::vector<Record>> found) {
  std::vector<Record> records;
  for (auto& some : found) std::ranges::move(some, std::back_inserter(records));
  return records;
}

void require_records(const std::vector<Record>& records) {
  if (!records.empty()) return;
  throw InputError({"no records", fmt::format("none of the paths holds a {}", record_schema),
                    "name a record file or the folder of a campaign"});
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return known.what();
  }
}

constexpr std::string_view beginning = R"({"begins":)";  // of the line about a point that begins

/// InputError if the point is not among those that the launch planned.
std::size_t read_point(const JsonNode& point, std::size_t points) {
  const auto index = read_value<std::size_t>(point);
  if (index < points) return index;
  point.reject(fmt::format("is {}", index), fmt::format("the launch planned {} points", points),
               "");
}

/// Number of unusable lines in a journal, and the error of the first.
struct UnusableLines {
  std::size_t count = 0;
  std::string first;

  void add(std::size_t line, const InputError& error) {
    if (count++ == 0) first = fmt::format("line {}: {}", line, error.what());
  }
};

std::string death(const UnusableLines& unusable) {
  if (unusable.count == 0) return "the launch died";
  return fmt::format("the launch died; {} {} of its journal could not be used, {}", unusable.count,
                     unusable.count == 1 ? "line" : "lines", unusable.first);
}

/// What the lines after the first say.
class JournalLines {
 public:
  explicit JournalLines(const Record& header)
      : points_(header.points.size()), store_(header.points) {}

  /// Adds all complete usable lines. A line without a line break is cut short.
  void read(std::istream& in, const std::string& file) {
    std::string line;
    for (std::size_t number = 2; std::getline(in, line) && !in.eof(); ++number) {
      try {
        add(line, file);
      } catch (const InputError& error) {
        unusable_.add(number, error);
      }
    }
  }

  [[nodiscard]] const SampleStore& store() const { return store_; }
  [[nodiscard]] const UnusableLines& unusable() const { return unusable_; }
  /// The index of the point that had begun and not ended.
  [[nodiscard]] std::optional<std::size_t> under_way() const { return under_way_; }

 private:
  void add(const std::string& line, const std::string& file) {
    const JsonNode node = parse_json(line, file);
    if (line.starts_with(beginning)) {
      under_way_ = read_point(node.at("begins"), points_);
      return;
    }
    read_point(node.at("point"), points_);
    store_.add(read_value<MeasurementBlock>(node));
    under_way_.reset();
  }

  std::size_t points_;
  SampleStore store_;
  UnusableLines unusable_;
  std::optional<std::size_t> under_way_;
};

}  // namespace

void keep_times(Record& record) {
  for (Series& series : record.series) drop_samples(series);
  const bool has_limits = !record.protocols.empty();
  std::erase_if(record.provenance.mpi.settings, [&](const auto& setting) {
    return (!has_limits && !is_about_eager(setting.first)) ||
           !may_explain_limit(setting.first, setting.second);
  });
}

std::vector<Record> load_records(const std::vector<std::string>& paths, Kept kept,
                                 ReadRecords read) {
  const std::vector<PossibleRecord> candidates = candidates_of(paths);
  std::vector<Record> records =
      taken(Loading(candidates, kept, std::move(read), WrongFiles::end_loading).run());
  require_records(records);
  return records;
}

UsableRecords load_usable_records(const std::vector<std::string>& paths, Kept kept) {
  const std::vector<PossibleRecord> candidates = candidates_of(paths);
  Loading loading(candidates, kept, {}, WrongFiles::are_left_out);
  UsableRecords usable{.records = taken(loading.run()), .refused = {}};
  const std::vector<std::exception_ptr> errors = loading.errors();
  if (usable.records.empty() && !errors.empty()) std::rethrow_exception(errors.front());
  require_records(usable.records);
  for (const std::exception_ptr& error : errors) usable.refused.push_back(text_of(error));
  return usable;
}

void keep_operations(const std::vector<std::vector<Record>*>& sides, const std::string& list) {
  std::set<std::string> known;
  for (const std::vector<Record>* records : sides) {
    for (const Record& record : *records) {
      for (const Series& series : record.series) known.insert(series.point.operation);
    }
  }
  std::set<std::string> wanted;
  for (const std::string& name : split(list, ',')) {
    const std::string ours = known.contains(name) ? name : known_name(name).operation;
    wanted.insert(ours);
    if (known.contains(ours)) continue;
    throw InputError({fmt::format("unknown operation '{}'", name), "no record holds it",
                      suggest(name, {known.begin(), known.end()})});
  }
  const auto unwanted = [&](const auto& item) { return !wanted.contains(item.point.operation); };
  for (std::vector<Record>* records : sides) {
    for (Record& record : *records) {
      std::erase_if(record.points.own(), unwanted);
      std::erase_if(record.series, unwanted);
    }
  }
}

std::string journal_name(const std::string& record_file) {
  return fmt::format("{}{}", record_file, journal_ending);
}

std::size_t blocks_in(std::string_view lines) {
  const std::vector<std::string> whole = split(lines.substr(0, lines.rfind('\n') + 1), '\n');
  return static_cast<std::size_t>(std::ranges::count_if(whole, [](const std::string& line) {
    return !line.empty() && !line.starts_with(beginning);
  }));
}

Journal::Journal(const std::string& record_file, const Record& header)
    : file_(journal_name(record_file)), out_(file_, GrowingFile::Begin::empty) {
  try {
    out_.append(json_text(to_json(header), -1) + "\n");
  } catch (const RunError&) {
    std::error_code kept;
    std::filesystem::remove(file_, kept);  // The error code is ignored: a journal that cannot be
                                           // removed does no harm.
    throw;
  }
}

void Journal::begin(std::size_t point) { out_.append(fmt::format("{}{}}}\n", beginning, point)); }

void Journal::append(const MeasurementBlock& block) {
  out_.append(nlohmann::json(block).dump() + "\n");
}

void Journal::discard() { std::filesystem::remove(file_); }

std::optional<Record> read_journal(std::istream& lines, const std::string& file) {
  std::string header;
  if (!std::getline(lines, header) || lines.eof()) return std::nullopt;
  Record record = read_record(parse_json(header, file));
  JournalLines journal(record);
  journal.read(lines, file);
  record.status = LaunchStatus::interrupted;
  record.stopped_because = death(journal.unusable());
  if (journal.unusable().count > 0) record.flags.emplace_back(journal_damaged_flag);
  if (const auto point = journal.under_way()) {
    record.under_way = choice_of(record.points[*point].point).text();
  }
  record.series = journal.store().series();
  record.points = journal.store().points("the launch died before its first sample");
  return record;
}

std::optional<Record> recover_journal(const std::string& record_file) {
  const std::string file = journal_name(record_file);
  std::ifstream lines(file);
  return read_journal(lines, file);
}

}  // namespace hockney
