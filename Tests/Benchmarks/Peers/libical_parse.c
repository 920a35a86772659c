// Has libical parse a calendar and write it, and prints the CPU time in milliseconds that each takes.
//
// usage: libical_parse FILE
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (!file) return fprintf(stderr, "usage: libical_parse FILE\n"), 2;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  if (!text || fread(text, 1, size, file) != (size_t)size) return 1;
  text[size] = 0;
  double began = milliseconds();
  icalcomponent *calendar = icalparser_parse_string(text);
  double parsed = milliseconds();
  if (!calendar) return 1;
  char *written = icalcomponent_as_ical_string_r(calendar);
  double ended = milliseconds();
  printf("parse %.0f\nserialise %.0f\n", parsed - began, ended - parsed);
  return written ? 0 : 1;
}
