#include <dbus/dbus.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// DBus imports this module only, so the few calls of the C library that it needs come along here. The
// static inlines keep errno, stdin and the like out of Swift's sight.

// dup(2) with close-on-exec; Swift cannot call the variadic fcntl through a C module.
static inline int cdbus_duplicate(int descriptor) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

static inline void cdbus_close(int descriptor) { close(descriptor); }

static inline const char *cdbus_environment(const char *name) { return getenv(name); }

static inline int cdbus_readable_path(const char *path) { return access(path, R_OK) == 0; }

// strlen(3), which a loop of ours would take ten times as long for.
static inline long cdbus_length(const unsigned char *text) {
  return (long)strlen((const char *)text);
}

// Whether a read would not wait: poll(2).
static inline int cdbus_is_readable(int descriptor) {
  struct pollfd asked = {.fd = descriptor, .events = POLLIN};
  return poll(&asked, 1, 0) == 1 && (asked.revents & POLLIN) != 0;
}

static inline long long cdbus_monotonic_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
