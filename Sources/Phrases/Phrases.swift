// The first file of Phrases.
