/** Ways of taking so many MiB; who succeeds says so by what comes after. */
export const MEMORY = {
  heap: (mebibytes: number): string =>
    `kept = []\nfor _ in range(${mebibytes}): kept.append(b"x" * (1 << 20))`,
  'a shared mapping': (mebibytes: number): string => `
import mmap
m = mmap.mmap(-1, ${mebibytes} << 20)
for at in range(0, ${mebibytes} << 20, 4096): m[at] = 1
`,
  memfd: (mebibytes: number): string =>
    `f = os.memfd_create("m")\nfor _ in range(${mebibytes}): os.write(f, b"x" * (1 << 20))`,
  'System V segments': (mebibytes: number): string => `
libc = ctypes.CDLL(None, use_errno=True); libc.shmat.restype = ctypes.c_void_p
for _ in range(${mebibytes} // 32):
    segment = libc.shmget(0, 1 << 25, 0o1600)
    if segment < 0: raise OSError(ctypes.get_errno(), "shmget")
    ctypes.memset(libc.shmat(segment, None, 0), 1, 1 << 25)
`,
};

/** The same by four processes and a file in memory, each of which is far below the limit. They keep it for some seconds. */
export const memoryTogether = (fileMebibytes: number, ofEach: number, seconds = 20): string => `
with open("/tmp/f", "wb") as f: f.write(b"x" * (${fileMebibytes} << 20))
for _ in range(4):
    if os.fork() == 0:
        kept = b"x" * (${ofEach} << 20); time.sleep(${seconds}); os._exit(0)
for _ in range(4):
    _, status = os.wait()
    if os.WIFSIGNALED(status): sys.exit("a child was killed by %d" % os.WTERMSIG(status))
`;
