/* Python keeps the name of the script that it will run in its configuration, which its own code cannot reach. */
#include "door.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { MAX_COPIES = 16 };

static const char *placeholder;

static struct {
  wchar_t *relative[MAX_COPIES], *absolute[MAX_COPIES];
  int relatives, absolutes;
} names;

static bool is_wide(const wchar_t *at, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (at[i] != (wchar_t)(unsigned char)text[i]) return false;
  return true;
}

/*
 * Python was started with a name that no file has and that nothing else looks like. It lies in its configuration as it was
 * given, and once more with the working directory in front; nobody has looked at either when this library is loaded.
 */
void find_names(const char *name) {
  static const char PREFIX[] = "/app/";
  const size_t length = strlen(name), prefix = sizeof PREFIX - 1;
  wchar_t *end = (wchar_t *)sbrk(0) - length;
  placeholder = strdup(name);
  for (wchar_t *at = (wchar_t *)memory_map.start_brk + prefix; at < end; at++) {
    if (*at != (wchar_t)name[0] || !is_wide(at, name, length) || at[length]) continue;
    bool absolute = is_wide(at - prefix, PREFIX, prefix);
    if (names.absolutes == MAX_COPIES || names.relatives == MAX_COPIES) give_up("too many names");
    if (absolute)
      names.absolute[names.absolutes++] = at;
    else
      names.relative[names.relatives++] = at;
  }
  errno = 0;
  if (!names.absolutes || !names.relatives) give_up("the name of its program cannot be found");
}

/* Of a template, what was no longer used when it was found may be something else by now. */
static void write_name(wchar_t *at, const char *name) {
  const size_t length = strlen(placeholder);
  if (!is_wide(at, placeholder, length) || at[length]) return;
  do *at++ = (wchar_t)(unsigned char)*name;
  while (*name++);
}

/* The worker only ever sends plain relative names here, no longer than the one that they replace. */
void rename_program(const char *name) {
  for (int i = 0; i < names.relatives; i++) write_name(names.relative[i], name);
  for (int i = 0; i < names.absolutes; i++) write_name(names.absolute[i], name);
}
