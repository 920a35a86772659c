/* Expands rules with libical, for `Benchmarks peers`.
 *
 * usage: libical CASES --case NAME --min-ms N
 *
 * CASES is as main.swift describes it; what is printed too. The rule is read once and expanded again
 * and again until N milliseconds have passed. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long long number;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

/* yyyymmddhhmmss. */
static number digits(struct icaltimetype t) {
  number date = (number)t.year * 10000 + t.month * 100 + t.day;
  return date * 1000000 + t.hour * 10000 + t.minute * 100 + t.second;
}

int main(int count, char **arguments) {
  FILE *cases = count == 6 ? fopen(arguments[1], "r") : NULL;
  if (!cases) {
    fprintf(stderr, "usage: libical CASES --case NAME --min-ms N\n");
    return 2;
  }
  char line[1024], *field[7];
  while (fgets(line, sizeof line, cases)) {
    char *rest = line;
    line[strcspn(line, "\n")] = 0;
    for (int i = 0; i < 7; i++) field[i] = strsep(&rest, "\t");
    if (!field[6] || strcmp(field[0], arguments[3])) continue;

    icaltimezone *zone = strcmp(field[2], "-") ? icaltimezone_get_builtin_timezone(field[2]) : NULL;
    struct icaltimetype start = icaltime_from_string(field[3]);
    if (zone) icaltime_set_timezone(&start, zone);
    struct icalrecurrencetype rule = icalrecurrencetype_from_string(field[4]);
    long limit = atol(field[5]), found, repetitions = 0;
    number end = digits(icaltime_from_string(field[6])), sum;
    double begin = seconds(), elapsed;
    do {
      icalrecur_iterator *iterator = icalrecur_iterator_new(rule, start);
      if (!iterator) return 1;
      for (found = 0, sum = 0; found < limit; found++) {
        struct icaltimetype t = icalrecur_iterator_next(iterator);
        if (icaltime_is_null_time(t) || digits(t) >= end) break;
        sum += zone ? (number)icaltime_as_timet_with_zone(t, zone) : digits(t);
      }
      icalrecur_iterator_free(iterator);
      repetitions++;
      elapsed = seconds() - begin;
    } while (elapsed * 1e3 < atof(arguments[5]));
    printf("%s\t%ld\t%llu\t%ld\t%.9f\n", field[0], found, sum, repetitions, elapsed);
  }
  return 0;
}
