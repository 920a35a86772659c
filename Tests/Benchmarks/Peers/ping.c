// Runs a command and meanwhile asks the agent for its revision each millisecond, as a second client does:
// prints how long the command took, when after its start a file was last replaced, how often the agent was asked,
// and the longest wait for an answer.
//
// usage: [PING_AFTER=MILLISECONDS] [PING_FILE=FILE] ping COMMAND [ARGUMENT]...
//        PING_AFTER: how long it goes on behind the end, usually 1000
//        PING_FILE: the file that is watched
#include <dbus/dbus.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

// 0 where there is none.
static ino_t file(const char *path) {
  struct stat found;
  return path && stat(path, &found) == 0 ? found.st_ino : 0;
}

int main(int count, char **arguments) {
  if (count < 2) return fprintf(stderr, "usage: ping COMMAND [ARGUMENT]...\n"), 2;
  DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
  if (!bus) return fprintf(stderr, "no session bus\n"), 1;
  const char *interface = "org.datebook.Calendar1", *property = "Revision";
  const char *after = getenv("PING_AFTER"), *path = getenv("PING_FILE");
  ino_t last = file(path);
  double began = milliseconds(), worst = 0, ended = 0, replaced = 0, rest = after ? atof(after) : 1000;
  pid_t command = fork();
  if (command == 0) {
    execvp(arguments[1], arguments + 1);
    _exit(127);
  }
  int watch = syscall(SYS_pidfd_open, command, 0);
  int status = 0, asked = 0;
  // A while longer: what follows from an import is seen, too.
  while (!ended || milliseconds() - ended < rest) {
    if (!ended && waitpid(command, &status, WNOHANG) == command) ended = milliseconds();
    DBusMessage *call = dbus_message_new_method_call(
        "org.datebook.Calendar1", "/org/datebook/Calendar1", "org.freedesktop.DBus.Properties", "Get");
    dbus_message_append_args(
        call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID);
    double sent = milliseconds();
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 60000, NULL);
    double waited = milliseconds() - sent;
    dbus_message_unref(call);
    if (!reply) return fprintf(stderr, "the agent does not answer\n"), 1;
    dbus_message_unref(reply);
    asked++;
    if (waited > worst) worst = waited;
    ino_t now = file(path);
    if (now != last) {
      last = now;
      replaced = milliseconds();
    }
    // The next question comes a millisecond later, or with the end of the command.
    struct pollfd end = {ended ? -1 : watch, POLLIN, 0};
    poll(&end, 1, 1);
  }
  if (replaced) printf("file replaced after %.0f ms\n", replaced - began);
  printf("%.0f ms, asked %d times meanwhile, longest wait %.1f ms\n", ended - began, asked, worst);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
