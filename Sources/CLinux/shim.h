// Linux calls that Swift's Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

// Declared by the C library only under _GNU_SOURCE, which Swift's own Glibc module does not set.
int pipe2(int ends[2], int flags);
