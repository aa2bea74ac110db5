! A line of cells that ranks relax, with mpi_f08: blocking, nonblocking, MPI_PROC_NULL, derived types, a reduction.
! Prints the cells' sum to the last bit and ends with 7.
program halo
  use mpi_f08
  implicit none
  integer, parameter :: cells = 100, steps = 60
  real(8) :: line(0:cells + 1), next(cells), mine, all
  integer :: rank, ranks, before, after, step
  type(MPI_Request) :: requests(4)
  type(MPI_Status) :: status
  type(MPI_Datatype) :: pairs
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  before = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  after = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
  line = rank
  do step = 1, steps
    if (mod(step, 2) == 0) then
      call MPI_Sendrecv(line(cells), 1, MPI_DOUBLE_PRECISION, after, 1, line(0), 1, MPI_DOUBLE_PRECISION, before, 1, &
                        MPI_COMM_WORLD, status)
      call MPI_Sendrecv(line(1), 1, MPI_DOUBLE_PRECISION, before, 2, line(cells + 1), 1, MPI_DOUBLE_PRECISION, after, 2, &
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    else
      call MPI_Irecv(line(0), 1, MPI_DOUBLE_PRECISION, before, 1, MPI_COMM_WORLD, requests(1))
      call MPI_Irecv(line(cells + 1), 1, MPI_DOUBLE_PRECISION, after, 2, MPI_COMM_WORLD, requests(2))
      call MPI_Isend(line(cells), 1, MPI_DOUBLE_PRECISION, after, 1, MPI_COMM_WORLD, requests(3))
      call MPI_Isend(line(1), 1, MPI_DOUBLE_PRECISION, before, 2, MPI_COMM_WORLD, requests(4))
      call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    end if
    next = 0.5d0 * line(1:cells) + 0.25d0 * (line(0:cells - 1) + line(2:cells + 1))
    line(1:cells) = next
  end do
  call MPI_Type_vector(10, 2, 5, MPI_DOUBLE_PRECISION, pairs)  ! 160 B
  call MPI_Type_commit(pairs)
  if (rank > 0) call MPI_Send(line(1), 1, pairs, 0, 3, MPI_COMM_WORLD)
  if (rank == 0) then
    do step = 1, ranks - 1
      call MPI_Recv(line(1), 1, pairs, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, status)
    end do
  end if
  mine = sum(next)
  call MPI_Reduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) print '(z16)', all
  call MPI_Finalize()
  stop 7
end program halo
