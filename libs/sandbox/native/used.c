/* What a run has used of the machine. */
#include "launcher.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

long count_oom_kills(int fd) {
  char text[4096];
  if (fd < 0) return 0;
  ssize_t length = pread(fd, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = 0;
  for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (!strncmp(line, "oom_kill ", 9)) return atol(line + 9);
  return 0;
}

static long long ms_of_children(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_CHILDREN, &usage) < 0) return 0;
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000LL + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

/* Before a run. Kernels before 6.12 do not forget the most memory that a cgroup of version 2 has had. */
struct use look_before(const struct settings *settings) {
  return (struct use){.oom_kills = count_oom_kills(settings->oom_events),
                      .cpu_ms = ms_of_children(),
                      .knows_peak = settings->memory_peak >= 0 && pwrite(settings->memory_peak, "0", 1, 0) == 1};
}

/* When all of its processes have been waited for. */
struct use used_since(const struct settings *settings, const struct use *before) {
  char text[32] = "";
  struct use use = {.oom_kills = count_oom_kills(settings->oom_events) - before->oom_kills,
                    .cpu_ms = ms_of_children() - before->cpu_ms,
                    .peak_bytes = -1};
  if (before->knows_peak && pread(settings->memory_peak, text, sizeof text - 1, 0) > 0) use.peak_bytes = atoll(text);
  return use;
}
