// The exchange of a Poisson solver on a grid of points over a grid of ranks, without the solver:
// each iteration sends the edge of its part to each neighbour several times.
//   halo ROWS COLUMNS POINTS ITERATIONS EXCHANGES [TILE_ROWS TILE_COLUMNS]
// With tiles ranks fill one tile of the grid of ranks after the other.

#include <mpi.h>
#include <array>
#include <cstdlib>
#include <vector>

namespace {

struct Grid {
  int rows, columns, tile_rows, tile_columns;

  /// Row and column of a rank.
  [[nodiscard]] std::array<int, 2> place(int rank) const {
    const int of_tile = tile_rows * tile_columns;
    const int tile = rank / of_tile;
    const int in_tile = rank % of_tile;
    const int tiles_in_row = columns / tile_columns;
    return {tile / tiles_in_row * tile_rows + in_tile / tile_columns,
            tile % tiles_in_row * tile_columns + in_tile % tile_columns};
  }
  /// MPI_PROC_NULL beyond the edge.
  [[nodiscard]] int rank(int row, int column) const {
    if (row < 0 || column < 0 || row >= rows || column >= columns) return MPI_PROC_NULL;
    const int tile = row / tile_rows * (columns / tile_columns) + column / tile_columns;
    return tile * tile_rows * tile_columns + row % tile_rows * tile_columns + column % tile_columns;
  }
};

/// Points of one of `parts` parts of a line.
int part(int points, int parts, int index) {
  return points / parts + (index < points % parts ? 1 : 0);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto number = [&](int place) { return std::atoi(argv[place]); };
  const Grid grid{number(1), number(2), argc > 7 ? number(6) : 1, argc > 7 ? number(7) : number(2)};
  int self = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  const auto [row, column] = grid.place(self);
  const int height = part(number(3), grid.rows, row);
  const int width = part(number(3), grid.columns, column);
  std::vector<double> out(static_cast<std::size_t>(height + width));
  std::vector<double> in(out.size());
  const int up = grid.rank(row - 1, column);
  const int down = grid.rank(row + 1, column);
  const int left = grid.rank(row, column - 1);
  const int right = grid.rank(row, column + 1);
  const auto exchange = [&](int to, int from, int count) {
    MPI_Sendrecv(out.data(), count, MPI_DOUBLE, to, 0, in.data(), count, MPI_DOUBLE, from, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  for (int i = 0; i < number(4) * number(5); ++i) {
    exchange(up, down, width);
    exchange(down, up, width);
    exchange(left, right, height);
    exchange(right, left, height);
  }
  MPI_Finalize();
  return 0;
}
