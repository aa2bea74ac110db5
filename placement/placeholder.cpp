// Removed when the first source arrives.
