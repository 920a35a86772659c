// The program's entry.
