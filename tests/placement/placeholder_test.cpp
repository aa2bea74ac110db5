// Removed when the first test arrives.
