// The first file of JSON.
