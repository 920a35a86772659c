/* Reads calendars from standard input with libical; writes a line for each VEVENT: its UID, when it
   starts and ends by the VTIMEZONEs of the calendar, its title and its rule. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>

static void when(icalcomponent *event, icalproperty_kind kind) {
  icalproperty *property = icalcomponent_get_first_property(event, kind);
  if (!property) return;
  struct icaltimetype time = icalproperty_get_datetime_with_component(property, event);
  if (!time.is_date && time.zone) {
    icaltimetype utc = icaltime_convert_to_zone(time, icaltimezone_get_utc_timezone());
    printf("%s", icaltime_as_ical_string(utc));
  } else {
    printf("%s", icaltime_as_ical_string(time));
  }
}

static void events(icalcomponent *calendar) {
  icalcomponent *event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT);
  for (; event; event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
    const char *summary = icalcomponent_get_summary(event);
    icalproperty *rule = icalcomponent_get_first_property(event, ICAL_RRULE_PROPERTY);
    printf("%s|", icalcomponent_get_uid(event));
    when(event, ICAL_DTSTART_PROPERTY);
    printf("|");
    when(event, ICAL_DTEND_PROPERTY);
    printf("|");
    for (const char *c = summary ? summary : ""; *c; c++)
      if (*c == '\n') printf("\\n"); else putchar(*c);
    struct icalrecurrencetype recurrence;
    if (rule) recurrence = icalproperty_get_rrule(rule);
    printf("|%s\n", rule ? icalrecurrencetype_as_string(&recurrence) : "");
  }
}

int main(void) {
  size_t length = 0, room = 1 << 20;
  char *text = malloc(room);
  size_t count;
  while ((count = fread(text + length, 1, room - length - 1, stdin)) > 0) {
    length += count;
    if (room - length < 2) text = realloc(text, room *= 2);
  }
  text[length] = 0;
  icalcomponent *calendar = icalparser_parse_string(text);
  if (!calendar) return 1;
  if (icalcomponent_count_errors(calendar)) {
    fprintf(stderr, "%s", icalcomponent_as_ical_string(calendar));
    return 2;
  }
  /* Several stand in one component that is none of the text. */
  if (icalcomponent_isa(calendar) == ICAL_VCALENDAR_COMPONENT) events(calendar);
  icalcomponent *one = icalcomponent_get_first_component(calendar, ICAL_VCALENDAR_COMPONENT);
  for (; one; one = icalcomponent_get_next_component(calendar, ICAL_VCALENDAR_COMPONENT))
    events(one);
  icalcomponent_free(calendar);
  return 0;
}
