/** Tries to reach each `[host, port]`, or path of a socket, of the inputs' `targets`: `connected` or the name of the errno. */
export const CONNECT = `
def attempt(target):
    family = socket.AF_UNIX if isinstance(target, str) else socket.AF_INET6 if ":" in target[0] else socket.AF_INET
    with socket.socket(family) as s:
        s.settimeout(3)
        try: s.connect(target if isinstance(target, str) else tuple(target)); return "connected"
        except OSError as error: return errno.errorcode.get(error.errno, str(error))
print(json.dumps([attempt(target) for target in inputs()["targets"]]))
`;

/** Where clouds tell a machine its credentials, and other places that no script may get to: as addresses. */
export const OUT_OF_BOUNDS = [
  '169.254.169.254',
  'fd00:ec2::254',
  '168.63.129.16',
  '100.100.100.200',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  'fe80::1',
  '1.1.1.1',
  '2606:4700:4700::1111',
];

/** Sends datagrams to the inputs' `port` of whatever hears them. Prints 1. */
export const DATAGRAMS = `
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
for host in ("127.0.0.1", "127.255.255.255", "255.255.255.255", "224.0.0.1"): refusal(s.sendto, b"x", (host, inputs()["port"]))
print(1)
`;

/** What name servers say: the records of each kind that the box's has for a name, and how others are reached. */
export const NAMES = `
def query(server, kind, name=b"\\x06secret\\x07example\\x03com\\0"):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(3); s.connect((server, 53))
        s.send(b"\\x12\\x34\\x01\\0\\0\\x01\\0\\0\\0\\0\\0\\0" + name + struct.pack(">HH", kind, 1))
        answer, at, found = s.recv(4096), 12 + len(name) + 4, []
    for _ in range(struct.unpack_from(">H", answer, 6)[0]):
        while answer[at] != 0 and answer[at] < 192: at += 1 + answer[at]
        at += 1 if answer[at] == 0 else 2
        kind, _, _, length = struct.unpack_from(">HHIH", answer, at)
        found.append("%d.%d.%d.%d" % tuple(answer[at + 10:at + 14]) if kind == 1 else "%d:%s" % (kind, answer[at + 10:at + 10 + length].hex()))
        at += 10 + length
    return found
def records(kind):
    try: return query("127.0.0.1", kind)
    except OSError as error: return [] if isinstance(error, TimeoutError) else ["unanswered"]
def by_tcp(): socket.create_connection(("127.0.0.1", 53), 3).close()
print(json.dumps({
  "addresses": records(1), "others": {str(kind): records(kind) for kind in (5, 15, 16, 28, 65, 255)},
  "elsewhere": {server: refusal(query, server, 1) for server in ("1.1.1.1", "8.8.8.8", "169.254.169.254", "10.0.0.2")}, "by TCP": refusal(by_tcp),
}))
`;
