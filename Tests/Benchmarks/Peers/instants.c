// Does what nothing that tells of an instant from a file can do without: waits for it by a timerfd, writes a few
// pages of a file that is there already, has them synced, and looks how late it is. One instant a second, each half
// a second after the full one, so that what is measured beside it has the machine for itself meanwhile.
//
// usage: instants FILE COUNT
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { size = 3 * 4096, places = 256 };

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void tell(const char *what, double *times, int count) {
  qsort(times, count, sizeof *times, ascending);
  printf("%s: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, at most %.1f ms\n", what, times[count / 2],
         times[count * 9 / 10], times[count * 99 / 100], times[count - 1]);
}

int main(int count, char **arguments) {
  int number = count == 3 ? atoi(arguments[2]) : 0;
  if (number < 1) return fprintf(stderr, "usage: instants FILE COUNT\n"), 2;
  static char pages[size];
  int file = open(arguments[1], O_RDWR | O_CREAT | O_TRUNC, 0600), timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
  double *woken = calloc(number, sizeof *woken), *synced = calloc(number, sizeof *synced);
  if (file < 0 || timer < 0 || !woken || !synced) return perror(arguments[1]), 1;
  for (int place = 0; place < places; place++)
    if (pwrite(file, pages, size, (off_t)place * size) != size) return perror(arguments[1]), 1;
  if (fsync(file)) return perror(arguments[1]), 1;

  time_t begin = time(NULL) + 1;
  for (int one = 0; one < number; one++) {
    struct itimerspec instant = {.it_value = {.tv_sec = begin + one, .tv_nsec = 500000000}};
    uint64_t expirations;
    if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &instant, NULL) ||
        read(timer, &expirations, sizeof expirations) != sizeof expirations)
      return perror("timerfd"), 1;
    double due = (begin + one) * 1e3 + 500;
    woken[one] = milliseconds() - due;
    pages[0]++;
    if (pwrite(file, pages, size, (off_t)(one % places) * size) != size || fdatasync(file))
      return perror(arguments[1]), 1;
    synced[one] = milliseconds() - due;
  }
  tell("a program that is only woken", woken, number);
  tell("and has 12 KiB synced beside the calendar", synced, number);
  return 0;
}
