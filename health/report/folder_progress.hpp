#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

#include "report/progress.hpp"

namespace hockney {

/// Tells how work on many folders gets on: on a terminal one line that overwrites itself, elsewhere
/// a line at most every 30 seconds; with the time that is left, once two folders are done.
class FolderProgress {
 public:
  using Clock = std::chrono::steady_clock;

  FolderProgress(std::ostream& out, ProgressStyle style, std::size_t folders)
      : out_(out), style_(style), folders_(folders) {}

  void begin(const std::string& folder);
  void end() { ++done_; }
  void finish();

 private:
  std::ostream& out_;
  ProgressStyle style_;
  std::size_t folders_;
  std::size_t done_ = 0;
  Clock::time_point started_ = Clock::now();
  Clock::time_point told_ = Clock::now();
};

}  // namespace hockney
