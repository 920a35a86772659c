// Linux calls that Swift's Glibc module leaves out.
#include <libintl.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <unistd.h>

// Declared by the C library only under _GNU_SOURCE, which Swift's own Glibc module does not set.
int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
int pipe2(int ends[2], int flags);
const char *strerrordesc_np(int code);
int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
int memfd_create(const char *name, unsigned int flags);
int clock_adjtime(clockid_t clock, struct timex *change);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

// `environ` is a global variable, which Swift 6 takes for a data race.
static inline char **datebook_environment(void) {
  extern char **environ;
  return environ;
}

// The value of EPOLLERR and its like is an enumeration in C and does not mix
// with the `events` of the structure in Swift.
static const unsigned int datebook_epoll_in = EPOLLIN;
static const unsigned int datebook_epoll_out = EPOLLOUT;
static const unsigned int datebook_epoll_error = EPOLLERR;
static const unsigned int datebook_epoll_hangup = EPOLLHUP;

// ioctl(2) is variadic. Returns -1 if the descriptor is no terminal.
static inline int datebook_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : -1;
}

static inline int datebook_terminal_rows(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_row : -1;
}
