/* What a run has used of the machine. */
#include "launcher.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
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

static long long peak_of(const struct settings *settings) {
  char text[32] = "";
  return pread(settings->memory_peak, text, sizeof text - 1, 0) > 0 ? atoll(text) : -1;
}

/* Before a run. Kernels before 6.12 do not forget the most memory that a cgroup of version 2 has had. */
struct use look_before(const struct settings *settings) {
  struct use use = {.oom_kills = count_oom_kills(settings->oom_events),
                    .cpu_ms = ms_of_children(),
                    .knows_peak = settings->memory_peak >= 0 && pwrite(settings->memory_peak, "0", 1, 0) == 1};
  use.had_bytes = use.knows_peak ? peak_of(settings) : 0;
  return use;
}

/* When all of its processes have been waited for. */
struct use used_since(const struct settings *settings, const struct use *before) {
  struct use use = {.oom_kills = count_oom_kills(settings->oom_events) - before->oom_kills,
                    .cpu_ms = ms_of_children() - before->cpu_ms,
                    .peak_bytes = before->knows_peak ? peak_of(settings) : -1};
  return use;
}

/* Of the time of children that were waited for. Source: proc_pid_stat(5), the fields behind the program's name. */
static long long cpu_ms_of_children(pid_t process) {
  char path[64], text[2048];
  long user = 0, system = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *stat = fopen(path, "re");
  size_t length = stat ? fread(text, 1, sizeof text - 1, stat) : 0;
  if (stat) fclose(stat);
  text[length] = 0;
  char *rest = strrchr(text, ')');
  if (rest) sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %ld %ld", &user, &system);
  return (user + system) * 1000ll / sysconf(_SC_CLK_TCK);
}

static long long cpu_ms_of(pid_t process) {
  clockid_t clock;
  struct timespec time = {0};
  if (clock_getcpuclockid(process, &clock) == 0) clock_gettime(clock, &time);
  return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

long long used_by_ms(const pid_t *processes, int count) {
  long long sum = 0;
  for (int i = 0; i < count; i++) sum += cpu_ms_of(processes[i]) + cpu_ms_of_children(processes[i]);
  return sum;
}
