import { SEARCH } from './files.js';

/** Puts a word everywhere where a box may write, into its memory and behind its sockets, says so, and stays. */
export const HIDE = `
secret = inputs()["secret"]
for folder in ("/tmp", "/outputs", "/dev/shm"): open(folder + "/" + secret, "w").write(secret)
libc = ctypes.CDLL(None); libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(0x4242, 4096, 0o1666)
if segment >= 0: ctypes.memmove(libc.shmat(segment, None, 0), secret.encode(), len(secret))
server = socket.create_server(("127.0.0.1", 4321)); a = socket.socket(socket.AF_UNIX); a.bind("\\0" + secret); a.listen()
sys.stderr.write("hidden\\n"); sys.stderr.flush(); time.sleep(60)
`;

/** Looks for that word, given in two halves so that the search does not find itself. */
export const seekHidden = (word: string): string => `${SEARCH}
print(json.dumps([places("${word.slice(0, 9)}" + "${word.slice(9)}"), ctypes.CDLL(None).shmget(0x4242, 0, 0), len([p for p in os.listdir("/proc") if p.isdigit()])]))
`;

/** Leaves files, names of sockets, segments and priorities. Prints nothing. */
export const LEAVE = `
for folder in ("/tmp", "/outputs", "/dev/shm", "/var/tmp"): open(folder + "/left", "w").write("left")
a = socket.socket(socket.AF_UNIX); a.bind("\\0left")
libc = ctypes.CDLL(None); libc.shmget(0x4243, 4096, 0o1666); libc.msgget(0x4243, 0o1666); libc.semget(0x4243, 1, 0o1666)
open("/proc/self/oom_score_adj", "w").write("1000")
os.nice(5)
`;

/** What there is of that. */
export const LOOK = `
libc = ctypes.CDLL(None)
print(json.dumps([[folder for folder in ("/tmp", "/outputs", "/dev/shm", "/var/tmp") if os.listdir(folder)],
  libc.shmget(0x4243, 0, 0), libc.msgget(0x4243, 0), libc.semget(0x4243, 0, 0), os.nice(0), open("/proc/net/unix").read().count("@left")]))
`;
