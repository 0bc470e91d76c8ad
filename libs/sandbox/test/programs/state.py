# Prints what a program can find out about how it was started. Addresses and the like are taken out by who compares.
import sys

modules = sorted(sys.modules)
frames = sys._getframe().f_back
main = {name: repr(value) for name, value in globals().items()}
importers = {path: repr(importer) for path, importer in sys.path_importer_cache.items()}

import atexit, builtins, ctypes, faulthandler, fcntl, gc, locale, os, resource, signal, site, stat, threading, time, warnings

print("modules", modules)
print("frames", frames)
print("main", main)
print("importers", importers)
for name in sorted(vars(sys)):
    if name not in ("modules", "path_importer_cache"):
        value = getattr(sys, name)
        print("sys", name, repr(sorted(value) if isinstance(value, frozenset) else value))
print("environ", list(os.environ.items()), os.environb)
print("C environment", [ctypes.CDLL(None)["getenv"] is not None, os.getenv("A"), os.popen("env").read()])
libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p
print("getenv", [libc.getenv(name) for name in (b"A", b"HOME", b"PYTHONUSERBASE", b"PWD")])
for path in ("cmdline", "environ", "comm", "limits", "cgroup", "oom_score_adj", "loginuid", "timerslack_ns", "personality"):
    try:
        print(path, open(f"/proc/self/{path}", "rb").read())
    except OSError as error:
        print(path, error)
skipped = ("Vm", "Rss", "Hugetlb", "voluntary", "nonvoluntary", "untag", "Mems", "Cpus", "x86", "Pid", "NSpid", "FDSize")
for line in open("/proc/self/status"):
    if not line.startswith(skipped):
        print("status", line.strip())
print("ids", os.getpid(), os.getppid(), os.getpgid(0), os.getsid(0), os.getuid(), os.getgid(), os.getgroups())
print("nice", os.nice(0), os.sched_getscheduler(0), len(os.sched_getaffinity(0)), os.umask(0o22))
for fd in range(64):
    try:
        info = os.fstat(fd)
    except OSError:
        continue
    print("fd", fd, oct(info.st_mode), fcntl.fcntl(fd, fcntl.F_GETFL), fcntl.fcntl(fd, fcntl.F_GETFD))
print("next fd", os.open("/", os.O_RDONLY))
print("threads", threading.enumerate(), threading.main_thread() is threading.current_thread())
print("tasks", len(os.listdir("/proc/self/task")))
for number in signal.valid_signals():
    print("signal", number, signal.getsignal(number))
print("mask", signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.set_wakeup_fd(-1))
print("timers", [signal.getitimer(which) for which in (0, 1, 2)])
print("limits", [resource.getrlimit(which) for which in range(16)])
print("gc", gc.isenabled(), gc.get_threshold(), len(gc.callbacks), gc.garbage, gc.get_freeze_count(), gc.get_debug())
print("atexit", atexit._ncallbacks(), faulthandler.is_enabled())
for stream in (sys.stdin, sys.stdout, sys.stderr):
    raw = getattr(stream.buffer, "raw", stream.buffer)
    print("stream", stream, stream.line_buffering, stream.write_through, stream.errors, stream.newlines, stream.isatty())
    print("raw", type(stream.buffer), type(raw), raw.closefd, raw.mode, stream.seekable(), getattr(raw, "_blksize", None))
print("locale", locale.setlocale(locale.LC_ALL), locale.getpreferredencoding(), sys.getfilesystemencoding())
print("site", site.ENABLE_USER_SITE, site.USER_SITE, site.USER_BASE, site.PREFIXES, sorted(vars(site)))
print("builtins", sorted(vars(builtins)), sorted(vars(os)))
print("warnings", warnings.filters, warnings.showwarning)
print("time", time.tzname, time.timezone, time.daylight)
print("cwd", os.getcwd())
for path in (".", "/", "/tmp", "/inputs", "/runtime", "/runtime/bin", "/etc", "/dev"):
    print("folder", path, sorted(os.listdir(path)))
print("app", [oct(os.stat(path).st_mode) for path in ("/app", "/inputs", "/tmp", "/outputs", "/dev/shm")])
for line in sorted(" ".join(line.split(" ")[4:]) for line in open("/proc/self/mountinfo")):
    print("mount", line.strip())
for name in ("unix", "tcp", "udp"):
    print("net", name, sorted(line.split(":", 1)[-1] for line in open(f"/proc/self/net/{name}")))
print("namespaces", sorted(os.listdir("/proc/self/ns")), os.readlink("/proc/self/exe"), os.readlink("/proc/self/root"))
for name in ("cmdline", "environ", "comm"):
    print("box", name, repr(open(f"/proc/1/{name}").read()) if os.path.exists(f"/proc/1/{name}") else "hidden")
print("processes", sorted(name for name in os.listdir("/proc") if name.isdigit()))
for code, call in (("chroot", lambda: os.chroot("/")), ("setuid", lambda: os.setuid(0)), ("write", lambda: open("/app/x", "w"))):
    try:
        print(code, call())
    except OSError as error:
        print(code, error)
print("dumpable", libc.prctl(3), "no new privileges", libc.prctl(39), "seccomp", libc.prctl(21), "death", libc.prctl(2, 0))
