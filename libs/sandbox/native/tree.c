/*
 * An /app that a build writes to lies on the host's disk. It is given to the box's user before the run, watched while
 * it grows, and taken back afterwards as plain files that everybody may read.
 *
 * Only root can set quotas. So this looks: at the free space every time it is asked, which costs nothing, and at the
 * whole tree once a second or when much space has gone.
 * Whatever a box does, it is ended before the disk is full: space that no name leads to is free again with its end.
 *
 * While it is watched the box lives and changes it, so every step opens one name of a directory that is held open, and
 * follows no link. When it is taken back every process of the box has been waited for.
 */
#include "launcher.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { MAX_DEPTH = 100, HANDED_OVER_DEPTH = 257, WALK_EVERY_MS = 1000, WALK_SHARE = 20 };
enum { RESERVED_SHARE = 20, RESERVED_FILES = 20000 };
static const uint64_t RESERVED_BYTES = 1ull << 30;

enum purpose { MEASURE, GIVE, TAKE_BACK, HAND_OVER };

struct walk {
  enum purpose purpose;
  uid_t owner;
  gid_t group;
  uint64_t bytes, files, max_bytes, max_files;
  bool changed; /* what is handed over */
};

/* What the last look at the tree being watched has found. */
static struct {
  uint64_t bytes, free;
  int64_t due;
} last;

static const char *visit_directory(int directory, int depth, struct walk *walk);

static uint64_t larger(uint64_t one, uint64_t other) { return one > other ? one : other; }

static mode_t plain_mode(mode_t mode) { return S_ISDIR(mode) || (mode & 0100) ? 0755 : 0644; }

/*
 * fchmodat() would follow a link that took the entry's place since we looked. Nothing of the box should be alive then,
 * but a mode must never depend on it: a descriptor of the entry itself is asked what it is, and changed.
 */
static int change_mode(int directory, const char *name, mode_t kind, mode_t wanted) {
  char place[32];
  struct stat entry;
  int fd = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), result = -1;
  if (fd < 0) return -1;
  snprintf(place, sizeof place, "/proc/self/fd/%d", fd);
  if (fstat(fd, &entry) == 0 && (entry.st_mode & S_IFMT) == kind) result = chmod(place, wanted);
  close(fd);
  return result;
}

/* Takes the owner's modes first: a program must never be ours and still have the box's setuid bit. */
static int change_entry(int directory, const char *name, mode_t mode, const struct walk *walk) {
  if (walk->purpose >= TAKE_BACK && !S_ISREG(mode) && !S_ISDIR(mode) && !S_ISLNK(mode))
    return unlinkat(directory, name, 0);
  if (!S_ISLNK(mode)) {
    mode_t wanted = walk->purpose == GIVE ? (mode & 0777) | plain_mode(mode) : plain_mode(mode);
    if ((mode & 07777) != wanted && change_mode(directory, name, mode & S_IFMT, wanted) < 0) return -1;
  }
  return fchownat(directory, name, walk->owner, walk->group, AT_SYMLINK_NOFOLLOW);
}

static const char *visit_entry(int directory, const char *name, int depth, struct walk *walk) {
  struct stat entry;
  if (fstatat(directory, name, &entry, AT_SYMLINK_NOFOLLOW) < 0) return errno == ENOENT ? NULL : "error";
  uint64_t blocks = entry.st_blocks * 512ull;
  walk->bytes += S_ISREG(entry.st_mode) ? larger(entry.st_size, blocks) : blocks;
  if (++walk->files > walk->max_files) return "files";
  if (walk->bytes > walk->max_bytes) return "bytes";
  walk->changed |= entry.st_uid != walk->owner;
  if (S_ISDIR(entry.st_mode)) {
    if (walk->purpose == HAND_OVER && depth == HANDED_OVER_DEPTH) return NULL;
    if (walk->purpose != HAND_OVER && depth == MAX_DEPTH) return "depth";
    int inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP) return "error";
    const char *problem = inner < 0 ? NULL : visit_directory(inner, depth + 1, walk);
    if (problem) return problem;
  }
  return walk->purpose != MEASURE && change_entry(directory, name, entry.st_mode, walk) < 0 ? "error" : NULL;
}

/* Closes `directory`. */
static const char *visit_directory(int directory, int depth, struct walk *walk) {
  const char *problem = NULL;
  struct dirent *entry;
  DIR *entries = fdopendir(directory);
  if (!entries) {
    close(directory);
    return "error";
  }
  while (!problem && (entry = readdir(entries)))
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
      problem = visit_entry(directory, entry->d_name, depth, walk);
  closedir(entries);
  return problem;
}

static const char *walk_tree(int directory, struct walk *walk) {
  int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const char *problem = copy < 0 ? "error" : visit_directory(copy, 0, walk);
  if (problem || walk->purpose == MEASURE) return problem;
  return fchmod(directory, 0755) < 0 || fchown(directory, walk->owner, walk->group) < 0 ? "error" : NULL;
}

/* Also when somebody else fills the disk: of all that runs, a build is the easiest to repeat. */
static bool is_nearly_full(const struct statvfs *disk) {
  uint64_t unit = disk->f_frsize, bytes = disk->f_blocks * unit / RESERVED_SHARE, files = disk->f_files / RESERVED_SHARE;
  if (bytes > RESERVED_BYTES) bytes = RESERVED_BYTES;
  if (files > RESERVED_FILES) files = RESERVED_FILES;
  return disk->f_bavail * unit < bytes || (disk->f_files && disk->f_favail < files);
}

const char *give_tree(int directory, const struct settings *settings) {
  /* An ordinary user's boxes run as that user, to whom all of it belongs already. */
  uid_t owner = settings->drop ? settings->uid : (uid_t)-1;
  struct walk walk = {.purpose = GIVE, .owner = owner, .group = owner, .max_bytes = UINT64_MAX, .max_files = UINT64_MAX};
  last.due = 0;
  last.bytes = last.free = 0;
  return walk_tree(directory, &walk);
}

const char *measure_tree(int directory, const struct request *request) {
  struct statvfs disk;
  if (fstatvfs(directory, &disk) < 0) return "error";
  if (is_nearly_full(&disk)) return "disk";
  uint64_t free = disk.f_bfree * disk.f_frsize, room = request->app_bytes - last.bytes;
  bool much_gone = last.free > free && last.free - free > room / 2;
  int64_t began = now_ms();
  if (!much_gone && began < last.due) return NULL;
  struct walk walk = {.purpose = MEASURE, .max_bytes = request->app_bytes, .max_files = request->app_files};
  const char *problem = walk_tree(directory, &walk);
  int64_t pause = (now_ms() - began) * WALK_SHARE;
  last.bytes = walk.bytes;
  last.free = free;
  last.due = now_ms() + (pause > WALK_EVERY_MS ? pause : WALK_EVERY_MS);
  return problem;
}

const char *take_tree_back(int directory, const struct request *request) {
  struct walk walk = {.purpose = TAKE_BACK,
                      .owner = geteuid(),
                      .group = getegid(),
                      .max_bytes = request->app_bytes,
                      .max_files = request->app_files};
  return walk_tree(directory, &walk);
}

bool hand_over_tree(int directory) {
  struct walk walk = {.purpose = HAND_OVER, .owner = geteuid(), .group = getegid(), .max_bytes = UINT64_MAX, .max_files = UINT64_MAX};
  struct stat root;
  walk.changed = fstat(directory, &root) == 0 && root.st_uid != walk.owner;
  walk_tree(directory, &walk);
  return walk.changed;
}
