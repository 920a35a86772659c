/* Expands rules with libical, for OracleTests: reads lines of START TAB RULE TAB LIMIT, writes one
 * line each with what the rule gives from the start on, or "error". */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[8192];
  icalerror_set_errors_are_fatal(0);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    char *rest = line;
    char *start = strsep(&rest, "\t"), *rule = strsep(&rest, "\t");
    if (!rule || !rest) return 2;
    struct icalrecurrencetype parsed = icalrecurrencetype_from_string(rule);
    icalrecur_iterator *iterator = parsed.freq == ICAL_NO_RECURRENCE
        ? NULL
        : icalrecur_iterator_new(parsed, icaltime_from_string(start));
    if (!iterator) {
      puts("error");
      fflush(stdout);
      continue;
    }
    for (long left = atol(rest); left > 0; left--) {
      struct icaltimetype time = icalrecur_iterator_next(iterator);
      if (icaltime_is_null_time(time) || time.year > 9999) break;
      printf("%04d%02d%02dT%02d%02d%02d ", time.year, time.month, time.day, time.hour, time.minute,
             time.second);
    }
    icalrecur_iterator_free(iterator);
    puts("");
    fflush(stdout);
  }
  return 0;
}
