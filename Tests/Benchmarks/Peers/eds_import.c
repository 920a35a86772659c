// Has evolution-data-server import a calendar into its own local one: the text is parsed and handed over as
// Evolution does with an invitation or a file, exceptions among it. Prints the milliseconds from before the file
// is opened to the answer; the services run and their calendar is open by then, as our agent is.
//
// usage: eds_import FILE
#include <libecal/libecal.h>
#include <stdio.h>

static int fail(const char *what, GError *error) {
  fprintf(stderr, "%s: %s\n", what, error ? error->message : "it is not there");
  return 1;
}

int main(int count, char **arguments) {
  if (count != 2) return fprintf(stderr, "usage: eds_import FILE\n"), 2;
  GError *error = NULL;
  ESourceRegistry *registry = e_source_registry_new_sync(NULL, &error);
  if (!registry) return fail("the registry of sources", error);
  ESource *source = e_source_registry_ref_builtin_calendar(registry);
  if (!source) return fail("the local calendar", NULL);
  const guint32 wait = 30;
  EClient *client = e_cal_client_connect_sync(source, E_CAL_CLIENT_SOURCE_TYPE_EVENTS, wait, NULL, &error);
  if (!client) return fail("the calendar's service", error);

  gint64 began = g_get_monotonic_time();
  char *text;
  if (!g_file_get_contents(arguments[1], &text, NULL, &error)) return fail(arguments[1], error);
  ICalComponent *calendar = i_cal_parser_parse_string(text);
  if (!calendar) return fail(arguments[1], NULL);
  i_cal_component_set_method(calendar, I_CAL_METHOD_PUBLISH);
  if (!e_cal_client_receive_objects_sync(E_CAL_CLIENT(client), calendar, 0, NULL, &error))
    return fail("the import", error);
  gint64 ended = g_get_monotonic_time();

  // An import that kept nothing is no import.
  GSList *kept = NULL;
  if (!e_cal_client_get_object_list_sync(E_CAL_CLIENT(client), "#t", &kept, NULL, &error) || !kept)
    return fail("what was imported", error);
  printf("%.0f %u\n", (ended - began) / 1e3, g_slist_length(kept));
  return 0;
}
