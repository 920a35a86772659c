// The first file of DBus.
