/* Reads a calendar from standard input with libical; writes how many of each kind of
   component it has, and each error that libical notes in it. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>

static void errors(icalcomponent *component) {
  icalproperty *property = icalcomponent_get_first_property(component, ICAL_XLICERROR_PROPERTY);
  for (; property; property = icalcomponent_get_next_property(component, ICAL_XLICERROR_PROPERTY))
    printf("error %s\n", icalproperty_get_xlicerror(property));
  icalcomponent *child = icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT);
  for (; child; child = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT))
    errors(child);
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
  icalcomponent_kind kinds[] = {
    ICAL_VEVENT_COMPONENT, ICAL_VTODO_COMPONENT, ICAL_VJOURNAL_COMPONENT, ICAL_VFREEBUSY_COMPONENT};
  for (int i = 0; i < 4; i++)
    printf("%s %d\n", icalcomponent_kind_to_string(kinds[i]),
           icalcomponent_count_components(calendar, kinds[i]));
  errors(calendar);
  icalcomponent_free(calendar);
  return 0;
}
