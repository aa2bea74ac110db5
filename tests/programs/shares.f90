! Computes for two thirds of its CPU time in a procedure of a module, for the rest in an external one,
! and says how long each took.
!
!   shares SECONDS

module work
  implicit none
  real(8), volatile :: sink = 1
contains
  real(8) function now()
    call cpu_time(now)
  end function now

  subroutine burn(seconds)
    real(8), intent(in) :: seconds
    real(8) :: value, end
    integer :: i
    value = sink
    end = now() + seconds
    do while (now() < end)
      do i = 1, 20000
        value = value * 0.999d0 + 1d-3
      end do
    end do
    sink = value
  end subroutine burn

  subroutine two_thirds(seconds)
    real(8), intent(in) :: seconds
    call burn(seconds)
  end subroutine two_thirds
end module work

subroutine one_third(seconds)
  use work, only: burn
  implicit none
  real(8), intent(in) :: seconds
  call burn(seconds)
end subroutine one_third

program shares
  use mpi
  use work
  implicit none
  external :: one_third
  character(len=32) :: text
  real(8) :: seconds, end, begin, long, short
  integer :: error, rank
  call get_command_argument(1, text)
  read (text, *) seconds
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  long = 0
  short = 0
  end = now() + seconds
  do while (now() < end)
    begin = now()
    call two_thirds(14.6d-3)
    long = long + now() - begin
    begin = now()
    call one_third(7.3d-3)
    short = short + now() - begin
  end do
  print '(a,i0,a,f0.6,a,f0.6)', 'rank ', rank, ' long ', long, ' short ', short
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program shares
