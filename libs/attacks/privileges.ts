/** `status()`: everything that the kernel says about what a process may do. Prints nothing. */
const STATUS = `
def status(pid="self"):
    return dict(line.rstrip("\\n").split(":\\t", 1) for line in open("/proc/%s/status" % pid) if ":\\t" in line)
`;

/** Who the script is, and what it may do. */
export const RIGHTS = `${STATUS}
s = status()
print(json.dumps({name: s[name].split()[0] for name in ("Uid", "Gid", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")}
  | {"groups": os.getgroups(), "inside": [line.split() for line in open("/proc/self/uid_map")]}))
`;

/** With what becoming somebody else is answered. */
export const OTHER_USERS = `
print(json.dumps([refusal(os.setuid, 0), refusal(os.setgid, 0), refusal(os.setresuid, 0, 0, 0), refusal(os.setgroups, [0]),
  refusal(os.setuid, 65534), refusal(os.chown, "/tmp", 0, 0)]))
`;

/** With what taking off one's bonds is answered, by the way. */
export const BONDS = `
libc = ctypes.CDLL(None, use_errno=True)
def prctl(*arguments):
    if libc.prctl(*[ctypes.c_ulong(a) for a in arguments], 0, 0, 0) < 0: raise OSError(ctypes.get_errno(), "prctl")
def capset():
    header, wanted = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[0xffffffff, 0xffffffff, 0] * 2)
    if libc.capset(header, wanted) < 0: raise OSError(ctypes.get_errno(), "capset")
print(json.dumps({
  "no_new_privs off": refusal(prctl, 38, 0),
  "seccomp off": refusal(prctl, 22, 0),
  "ambient capability": refusal(prctl, 47, 2, 21),
  "every capability": refusal(capset),
}))
`;

/** Setuid programs that the kernel would honour. */
export const SETUID_PROGRAMS = `
honoured = []
for top in ("/usr", "/bin", "/sbin", "/lib", "/runtime", "/app", "/tmp", "/outputs"):
    for folder, _, names in os.walk(top):
        if folder == top and os.statvfs(top).f_flag & os.ST_NOSUID: break
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.islink(path) and os.stat(path).st_mode & 0o6000: honoured.append(path)
print(json.dumps(honoured))
`;

/** Who a program is that the script has given a setuid bit, and whether the file system heeds none. */
export const OWN_SETUID = `
import shutil
shutil.copy("/usr/bin/id", "/tmp/id"); os.chmod("/tmp/id", 0o6755)
print(subprocess.run(["/tmp/id", "-u"], capture_output=True, text=True).stdout.strip(), os.statvfs("/tmp").f_flag & os.ST_NOSUID != 0)
`;
