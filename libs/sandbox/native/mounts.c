/*
 * Three mount namespaces, from large to small:
 *
 *   host   what the worker sees. Directories of a run are looked up here, with our rights: they may lie in
 *          folders that the box's user cannot enter. What is mounted later shows up here, too.
 *   stage  the skeleton with everything that is the same for each run, and nothing else of the host; made
 *          once. /box becomes the box's root. Small, so that copying it is cheap.
 *   run    a copy of the stage with the run's own directories and its tmpfs; it goes when the run goes.
 */
#include "launcher.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Older C libraries know neither the calls nor the names. */
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_move_mount
#define SYS_move_mount 429
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
enum { CLONE_TREE = 1, FROM_EMPTY_PATH = 4, TREE_RECURSIVE = 0x8000, AT_EMPTY = 0x1000 };
enum { ATTRIBUTE_RDONLY = 1, ATTRIBUTE_NOSUID = 2, ATTRIBUTE_NODEV = 4, ATTRIBUTE_NOEXEC = 8 };
struct attributes {
  uint64_t set, clear, propagation, user_namespace;
};

static int host_namespace = -1, stage_namespace = -1;

static int current_namespace(void) {
  int fd = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
  if (fd < 0) die("/proc/self/ns/mnt");
  return fd;
}

static void enter(int namespace) {
  if (setns(namespace, CLONE_NEWNS) < 0) die("setns");
}

static int restrict_tree(int tree, uint64_t attributes) {
  struct attributes change = {.set = attributes};
  return syscall(SYS_mount_setattr, tree, "", AT_EMPTY | TREE_RECURSIVE, &change, sizeof change);
}

/* A private copy of what lies at `source` in the current namespace, not yet attached anywhere. */
static int pick_up(const char *source, uint64_t attributes) {
  int tree = syscall(SYS_open_tree, AT_FDCWD, source, CLONE_TREE | O_CLOEXEC | TREE_RECURSIVE);
  if (tree >= 0 && restrict_tree(tree, attributes) < 0) {
    int error = errno;
    close(tree);
    errno = error;
    return -1;
  }
  return tree;
}

static int put_down(int tree, const char *target) {
  int result = syscall(SYS_move_mount, tree, "", AT_FDCWD, target, FROM_EMPTY_PATH);
  int error = errno;
  close(tree);
  errno = error;
  return result;
}

/* A folder by a mount of our own, so that whoever holds it does not hold the one that is there. */
int open_apart(const char *path) {
  int tree = pick_up(path, 0);
  int folder = tree < 0 ? -1 : openat(tree, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  shut(&tree);
  return folder;
}

static uint64_t attributes_of(const struct bind *bind) {
  if (bind->writable) return ATTRIBUTE_NOSUID | ATTRIBUTE_NODEV;
  return bind->devices ? ATTRIBUTE_RDONLY | ATTRIBUTE_NOSUID | ATTRIBUTE_NOEXEC : ATTRIBUTE_RDONLY | ATTRIBUTE_NOSUID | ATTRIBUTE_NODEV;
}

static void attach(const char *source, uint64_t attributes, const char *directory, const char *target) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s%s", directory, target);
  int tree = pick_up(source, attributes);
  if (tree < 0) die("mounting %s (Linux 5.12 or newer is needed)", source);
  if (put_down(tree, path) < 0) die("mounting %s on %s", source, target);
}

void build_stage(const struct settings *settings) {
  const char *skeleton = settings->skeleton;
  host_namespace = current_namespace();
  if (unshare(CLONE_NEWNS) < 0) die("unshare");
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) die("making mounts private");
  attach(skeleton, ATTRIBUTE_NOSUID | ATTRIBUTE_NODEV, skeleton, "");
  /* Of our own process namespace. bubblewrap may mount one for the box only while it sees a complete one. */
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/proc", skeleton);
  if (mount("proc", path, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
    die("mounting /proc (in a container, parts of it must not be masked)");
  for (int i = 0; i < settings->bind_count; i++) {
    snprintf(path, sizeof path, "/box%s", settings->binds[i].target);
    attach(settings->binds[i].source, attributes_of(&settings->binds[i]), skeleton, path);
  }
  if (chdir(skeleton) < 0) die("%s", skeleton);
  struct attributes read_only = {.set = ATTRIBUTE_RDONLY};
  if (syscall(SYS_mount_setattr, AT_FDCWD, ".", 0, &read_only, sizeof read_only) < 0) die("mount_setattr");
  if (syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0 || chdir("/") < 0) die("pivot_root");
  stage_namespace = current_namespace();
}

void enter_run_namespaces(const struct settings *settings, struct run *run) {
  char path[PATH_MAX];
  enter(stage_namespace);
  if (unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC) < 0) die("unshare");
  open_network(settings);
  for (int i = 0; i < settings->tmpfs_count; i++) {
    snprintf(path, sizeof path, "/box%s", settings->tmpfs[i].target);
    if (mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, settings->tmpfs[i].options) < 0) die("tmpfs %s", path);
  }
  snprintf(path, sizeof path, "/box%s", settings->outputs);
  run->outputs = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (run->outputs < 0) die("%s", path);
  run->mounts = current_namespace();
}

void enter_box(const struct run *run) { enter(run->inside); }

void leave_box(const struct run *run) { enter(run->mounts); }

static const char *failure(const char *verb, const char *path) {
  static char text[512];
  snprintf(text, sizeof text, "%s %.400s: %s", verb, path, strerror(errno));
  return text;
}

const char *bind_request(const struct request *request, struct run *run) {
  int trees[MAX_BINDS], picked = 0;
  const char *problem = NULL;
  enter(host_namespace);
  if (request->app_bytes) {
    run->app = open(request->binds[0].source, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (run->app < 0) problem = failure("cannot bring into the box", request->binds[0].target);
  }
  for (; picked < request->bind_count && !problem; picked++) {
    trees[picked] = pick_up(request->binds[picked].source, attributes_of(&request->binds[picked]));
    if (trees[picked] < 0) problem = failure("cannot bring into the box", request->binds[picked].target);
  }
  /* A box that was made before the run has a mount namespace of its own, of which ours has the parts. */
  bool made = run->inside >= 0;
  enter(made ? run->inside : run->mounts);
  for (int i = 0; i < picked; i++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s", made ? "" : "/box", request->binds[i].target);
    if (problem)
      close(trees[i]);
    else if (put_down(trees[i], path) < 0)
      problem = failure("the box has no place for", request->binds[i].target);
  }
  if (made) enter(run->mounts);
  return problem;
}
