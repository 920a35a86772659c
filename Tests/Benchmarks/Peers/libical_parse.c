// Has libical parse a calendar, and prints the CPU time that it takes.
//
// usage: libical_parse FILE
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (!file) return fprintf(stderr, "usage: libical_parse FILE\n"), 2;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  if (!text || fread(text, 1, size, file) != (size_t)size) return 1;
  text[size] = 0;
  struct timespec before, after;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  icalcomponent *calendar = icalparser_parse_string(text);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  printf("libical: %.0f ms of CPU to parse it\n",
         (after.tv_sec - before.tv_sec) * 1e3 + (after.tv_nsec - before.tv_nsec) / 1e6);
  return calendar ? 0 : 1;
}
