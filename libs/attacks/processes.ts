import { readdirSync, readFileSync } from 'node:fs';

/** What /proc says of the box's first process, which is the sandbox's own, and which processes there are. */
export const FIRST_PROCESS = `
def read(path):
    try: return open(path, "rb").read(1 << 16).decode("utf8", "replace").replace("\\0", " ")
    except OSError as error: return errno.errorcode[error.errno]
def links(path):
    try: return sorted(os.readlink(path + "/" + name) for name in os.listdir(path))
    except OSError as error: return errno.errorcode[error.errno]
print(json.dumps({
  "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
  "environ": read("/proc/1/environ"), "cmdline": read("/proc/1/cmdline"),
  "descriptors": links("/proc/1/fd"), "cwd": links("/proc/1"),
  "cgroup": sorted({line.split(":", 2)[2] for line in read("/proc/self/cgroup").splitlines()}),
}))
`;

/** With what signals to the inputs' `pids`, and to everybody, are answered. */
export const SIGNALS = `
me = os.getpid()
answers = {refusal(os.kill, pid, 0) for pid in inputs()["pids"] if pid > 100}
os.kill(1, 9); os.kill(1, 15)
signal.signal(signal.SIGTERM, signal.SIG_IGN); refusal(os.kill, -1, 15)
print(json.dumps(sorted(answers)))
`;

/** A daemon that has cut every tie to what started it, and whose command line is the marker and the seconds. Prints nothing. */
export const daemonOf = (marker: string, seconds: number): string => `
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGHUP, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.closerange(0, 3)
        os.execv("/usr/bin/sleep", ["${marker}", "${seconds}"])
    os._exit(0)
os.wait()
`;

/** Six processes that hear no signal. Prints nothing. */
export const DEAF = `
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
for _ in range(5):
    if os.fork() == 0: break
`;

/** How many processes there are at a time before one more is refused, and with what. */
export const FORKS = `
children, reason = [], "no end"
try:
    while len(children) < inputs()["most"]:
        child = os.fork()
        if child == 0: time.sleep(30); os._exit(0)
        children.append(child)
except OSError as error: reason = errno.errorcode[error.errno]
for child in children: os.kill(child, 9)
print(json.dumps([reason, len(children)]))
`;

/** This machine's processes whose command line contains a text; its words are separated by spaces. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(Number(pid)).includes(text))
    .map(Number);
}

export const commandLine = (pid: number): string => readProc(`${pid}/cmdline`).replaceAll('\0', ' ');

/** A file of /proc, empty where there is none: a process has ended meanwhile. */
export function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
