# why
export MPIR_CVAR_BCAST_INTRA_ALGORITHM='binomial'
export B='x y'
