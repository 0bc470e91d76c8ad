// Each of these goes after the prelude and prints what it has found, unless it says otherwise.

/** The machine's files that can be looked up, by whatever way. */
export const HOST_FILES = `
ways = ["", "/proc/self/root", "/proc/1/root", "/app/..", "/inputs/../..", "/proc/self/cwd/../../..", "/tmp/../..", "/proc/self/fd/0/.."]
files = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/root", "/home", "/var/log", "/var/lib", "/run", "/sys", "/boot", "/mnt", "/srv", "/opt", "/etc/ssh"]
print(json.dumps([way + file for way in ways for file in files if refusal(os.stat, way + file).startswith("done")]))
`;

/** Which of the inputs' `paths` can be looked up, and from which folders one of its `names` is found by going upwards. */
export const DATA_DIRECTORY = `
ways = ["", "/proc/self/root", "/proc/1/root", "/app/../../..", "/inputs/../../..", "/proc/self/cwd/../../.."]
def above(start):
    seen, folder = set(), os.open(start, os.O_RDONLY)
    for _ in range(10):
        seen.update(os.listdir(folder)); folder = os.open("..", os.O_RDONLY, dir_fd=folder)
    return seen
print(json.dumps([way + path for way in ways for path in inputs()["paths"] if refusal(os.stat, way + path).startswith("done")]
  + [start for start in ("/app", "/inputs", "/outputs", "/tmp") if set(inputs()["names"]) & above(start)]))
`;

/** What can be written to besides /tmp, /outputs and /dev/shm. */
export const WRITABLE = `
found = []
for path in ["/", "/usr", "/usr/bin", "/etc", "/dev", "/app", "/inputs", "/proc", "/runtime/bin", "/var"]:
    if refusal(open, path + "/x", "w").startswith("done"): found.append(path)
for path in ["/etc/passwd", "/etc/hosts", "/usr/bin/env", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"]:
    if refusal(open, path, "a").startswith("done"): found.append(path)
print(json.dumps(found))
`;

/** `places(word)`: where a word stands in names, links and contents, of the box's own files and of what /proc says. Prints nothing. */
export const SEARCH = `
SKIPPED = {"/": {"usr", "runtime", "lib", "lib64", "bin", "sbin"}}
def content(path):
    try:
        if not stat.S_ISREG(os.stat(path).st_mode): return b""
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try: return os.read(file, 1 << 20)
        finally: os.close(file)
    except OSError: return b""
def target(path):
    try: return os.fsencode(os.readlink(path))
    except OSError: return b""
def files():
    for folder, folders, names in os.walk("/"):
        folders[:] = set(folders) - SKIPPED.get(folder, {"task", "map_files"} if folder.startswith("/proc/") else set())
        yield folder, folders, names
def places(word):
    word, found, seen = word.encode(), set(), 0
    for folder, folders, names in files():
        for name in names + folders:
            path = os.path.join(folder, name)
            if word in os.fsencode(name) or word in target(path): found.add(path)
        for name in set(names) - {"kmsg", "pagemap"}:
            seen += 1
            if word in content(os.path.join(folder, name)): found.add(os.path.join(folder, name))
    return sorted(found), seen
`;

/** Digests of all words of 12 and more characters that can be read: whoever knows a secret can tell whether it is among them. */
export const DIGESTS = `${SEARCH}
import hashlib, re
found = set()
for folder, folders, names in files():
    for name in set(names) - {"kmsg", "pagemap"}:
        for word in re.findall(rb"[A-Za-z0-9+/_-]{12,}", content(os.path.join(folder, name))):
            found.add(hashlib.sha256(word).hexdigest()[:16])
print(json.dumps(sorted(found)))
`;

/** How much fits into each of the inputs' `paths`: pairs of the errno at the end and of MiB. */
export const FILL = `
def fill(path):
    n = 0
    try:
        with open(path + "/fill", "wb", buffering=0) as f:
            while n < inputs().get("most", 400):
                f.write(b"x" * (1 << 20)); n += 1
        return ["no end", n]
    except OSError as error:
        return [errno.errorcode[error.errno], n]
    finally:
        if os.path.exists(path + "/fill"): os.unlink(path + "/fill")
print(json.dumps([fill(path) for path in inputs()["paths"]]))
`;

/** How many files, folders and links fit into each of the inputs' `paths`. */
export const INODES = `
def make(base):
    n, most = 0, inputs().get("most", 1000000)
    os.mkdir(base + "/many"); os.chdir(base + "/many")
    try:
        while n < most:
            os.mkdir("d%d" % n) if n % 3 == 0 else os.symlink("x", "l%d" % n) if n % 3 == 1 else os.close(os.open("f%d" % n, os.O_CREAT))
            n += 1
        reason = "no end"
    except OSError as error: reason = errno.errorcode[error.errno]
    os.chdir("/")
    subprocess.run(["rm", "-rf", base + "/many"])
    return [reason, n]
print(json.dumps([make(path) for path in inputs()["paths"]]))
`;
