#include "CDAOSystem.h"

#include <fcntl.h>
#include <unistd.h>

#ifdef __APPLE__

int dao_watch(const char *path) { return open(path, O_EVTONLY | O_CLOEXEC); }

void dao_watch_drain(int watch) { (void)watch; }

#else
#include <sys/inotify.h>

int dao_watch(const char *path) {
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watch >= 0 && inotify_add_watch(watch, path, IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF) < 0) {
    close(watch);
    return -1;
  }
  return watch;
}

void dao_watch_drain(int watch) {
  char events[4096];
  while (read(watch, events, sizeof events) > 0) {}
}
#endif
