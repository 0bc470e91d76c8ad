import { type AddressInfo, type Server, createServer } from 'node:net';
import { createSocket } from 'node:dgram';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, inject, it } from 'vitest';

import { CONNECT, DATAGRAMS } from '../../libs/attacks/index.js';
import { baseUrl } from '../support/gatehouse.js';
import { runUntil } from '../support/scripts.js';
import { anAttacker, newMarker } from './support/attack.js';

const attacker = anAttacker();

const reach = (...targets: (string | [host: string, port: number])[]): Promise<string[]> =>
  attacker.findings(CONNECT, {}, { targets });

describe('this machine', () => {
  const servers: Server[] = [];
  let connections = 0;
  const listen = async (options: { host?: string; port: number } | { path: string }): Promise<number> => {
    const server = createServer((socket) => {
      connections += 1;
      socket.end();
    });
    servers.push(server);
    await new Promise<void>((done, fail) => server.once('error', fail).listen(options, done));
    return (server.address() as AddressInfo).port;
  };
  afterAll(() => servers.forEach((server) => server.close()));

  it.each(['127.0.0.1', '::1', '0.0.0.0', '::'])('is not reached where it listens on %s', async (host) => {
    // A machine may be without IPv6.
    const port = await listen({ host, port: 0 }).catch(() => null);
    if (port === null) return expect(host).toContain(':');
    const names = ['127.0.0.1', '127.0.0.2', '0.0.0.0', '::1', '::ffff:127.0.0.1', 'localhost', 'sandbox'];
    for (const answer of await reach(...names.map((name): [string, number] => [name, port]))) {
      expect(answer).toMatch(/^E(CONNREFUSED|NETUNREACH|ADDRNOTAVAIL)$/);
    }
    expect(connections).toBe(0);
  });

  it('is not reached by its other addresses', async () => {
    const port = await listen({ port: 0 });
    const own = Object.values(networkInterfaces()).flatMap((addresses) =>
      addresses!.filter(({ internal }) => !internal).map(({ address }): [string, number] => [address, port]),
    );
    for (const answer of await reach(...own, ['172.17.0.1', port])) {
      expect(answer).toMatch(/^E(NETUNREACH|ADDRNOTAVAIL|INVAL)$/);
    }
    expect(connections).toBe(0);
  });

  it('offers neither its API nor its database', async () => {
    const ports = [baseUrl(), inject('databaseUrl')].map((url) => Number(new URL(url).port || 5432));
    const targets = ports.flatMap((port): [string, number][] => [
      ['127.0.0.1', port],
      ['::1', port],
    ]);
    for (const answer of await reach(...targets)) expect(answer).toBe('ECONNREFUSED');
  });

  it('offers no Unix socket, abstract or by path', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-socket-'));
    const path = join(directory, 'socket');
    const name = newMarker();
    await listen({ path });
    await listen({ path: `\0${name}` });
    const everyone = (await readFile('/proc/net/unix', 'utf8'))
      .split('\n')
      .map((line) => line.trim().split(/\s+/)[7] ?? '')
      .filter((each) => /^[@/]/.test(each));
    expect(everyone).toContain(path);
    expect(everyone.join()).toContain(`@${name}`);
    const url = new URL(inject('databaseUrl'));
    const directoryOfDatabase = url.searchParams.get('host') ?? '/run/postgresql';
    const targets = new Set([...everyone, `@${name}`, `${directoryOfDatabase}/.s.PGSQL.${url.port}`]);
    const found = await attacker.findings(
      // The kernel shows NUL, which makes a name abstract, as @.
      CONNECT.replace(
        'inputs()["targets"]',
        '[target.replace("@", "\\0") for target in inputs()["targets"]]',
      ),
      {},
      { targets: [...targets] },
    );
    for (const answer of found) expect(answer).toMatch(/^E(NOENT|CONNREFUSED)$/);
    expect(connections).toBe(0);
    await rm(directory, { recursive: true });
  });

  it('hears no datagram', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
    let heard = 0;
    socket.on('message', () => (heard += 1));
    const { port } = socket.address();
    await attacker.findings(DATAGRAMS, {}, { port });
    expect(heard).toBe(0);
    socket.close();
  });
});

describe('other runs', () => {
  it('are not reached by loopback, nor by abstract sockets', async () => {
    const name = newMarker();
    const server = await attacker.script(
      `
s = socket.create_server(("127.0.0.1", 4321)); a = socket.socket(socket.AF_UNIX); a.bind("\\0${name}"); a.listen()
sys.stderr.write("listening\\n"); sys.stderr.flush(); time.sleep(60)
`,
      { timeout: 60 },
    );
    const { body } = await attacker.api.post(`/v1/scripts/${server.slug}/runs`, {});
    await runUntil(attacker.api, body.id, (run) => run.logLines > 0);
    const found = await attacker.findings(
      CONNECT.replace('inputs()["targets"]', `[["127.0.0.1", 4321], "\\0${name}"]`),
    );
    expect(found).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
    await attacker.api.post(`/v1/runs/${body.id}/cancel`);
  });
});

describe('the world', () => {
  it.each<[string, string]>([
    ['a public address', '1.1.1.1'],
    ['a public address of IPv6', '2606:4700:4700::1111'],
    ['10.0.0.0/8', '10.0.0.1'],
    ['172.16.0.0/12', '172.16.0.1'],
    ['192.168.0.0/16', '192.168.0.1'],
    ['100.64.0.0/10', '100.64.0.1'],
    ['the metadata service', '169.254.169.254'],
    ['the metadata service of IPv6', 'fd00:ec2::254'],
    ['the metadata service of a cloud', '168.63.129.16'],
    ['the metadata service of another', '100.100.100.200'],
    ['a mapped address', '::ffff:169.254.169.254'],
    ['a NAT64 address', '64:ff9b::a9fe:a9fe'],
    ['an address of the link', 'fe80::1'],
  ])('has no way to %s', async (_, host) => {
    for (const answer of await reach([host, 80], [host, 443])) {
      expect(answer).toMatch(/^E(NETUNREACH|ADDRNOTAVAIL|INVAL)$/);
    }
  });

  it('gets no datagram, and answers no name', async () => {
    const found = await attacker.findings(`
def send(host, port, family=socket.AF_INET): socket.socket(family, socket.SOCK_DGRAM).sendto(b"x" * 60, (host, port))
def resolve(name): socket.getaddrinfo(name, 443)
def named(name):
    try: return socket.getaddrinfo(name, 443) and "found"
    except socket.gaierror: return "not found"
def query(server):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(2); s.connect((server, 53))
    s.send(b"\\x12\\x34\\x01\\0\\0\\x01\\0\\0\\0\\0\\0\\0\\x07example\\x03com\\0\\0\\x01\\0\\x01"); s.recv(512)
print(json.dumps({
  "datagrams": [refusal(send, "8.8.8.8", 53), refusal(send, "10.1.2.3", 9), refusal(send, "224.0.0.1", 9), refusal(send, "2001:4860:4860::8888", 53, socket.AF_INET6)],
  "names": [named("example.com"), named("secret-in-a-name.example.com"), named("metadata.google.internal")],
  "queries": [refusal(query, "127.0.0.1"), refusal(query, "127.0.0.53"), refusal(query, "1.1.1.1")],
}))
`);
    for (const answer of found.datagrams) expect(answer).toMatch(/^E(NETUNREACH|ADDRNOTAVAIL)$/);
    expect(found.names).toEqual(['not found', 'not found', 'not found']);
    expect(found.queries).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'ENETUNREACH']);
  });

  it('has one interface, which no script can change', async () => {
    const found = await attacker.findings(`
s = socket.socket()
import fcntl
def ioctl(request): fcntl.ioctl(s, request, struct.pack("16sH22s", b"lo", socket.AF_INET, b""))
print(json.dumps({
  "interfaces": [name for _, name in socket.if_nameindex()],
  "routes": open("/proc/net/route").read().count("\\n") - 1,
  "address": refusal(ioctl, 0x8916), "flags": refusal(ioctl, 0x8914),
  "tunnel": refusal(os.open, "/dev/net/tun", os.O_RDWR),
}))
`);
    expect(found).toEqual({
      interfaces: ['lo'],
      routes: 0,
      address: 'ENOTTY',
      flags: 'ENOTTY',
      tunnel: 'ENOENT',
    });
  });
});

describe('sockets', () => {
  const STREAM = 1;
  const DATAGRAM = 2;
  const RAW = 3;
  const SEQPACKET = 5;

  it.each([
    ['VSOCK', 40, STREAM, 0],
    ['VSOCK, with an upper half that the kernel ignores', 2 ** 32 + 40, STREAM, 0],
    ['PACKET', 17, RAW, 0x300],
    ['ALG', 38, SEQPACKET, 0],
    ['X25', 9, SEQPACKET, 0],
    ['AX25', 3, SEQPACKET, 0],
    ['KEY', 15, RAW, 2],
    ['RDS', 21, SEQPACKET, 0],
    ['CAN', 29, RAW, 1],
    ['TIPC', 30, SEQPACKET, 0],
    ['BLUETOOTH', 31, SEQPACKET, 0],
    ['RXRPC', 33, DATAGRAM, 2],
    ['KCM', 41, DATAGRAM, 0],
    ['QIPCRTR', 42, DATAGRAM, 0],
    ['SMC', 43, STREAM, 0],
    ['XDP', 44, RAW, 0],
    ['raw ICMP', 2, RAW, 1],
    ['ICMP as ping has it', 2, DATAGRAM, 1],
    ['ICMPv6 as ping has it', 10, DATAGRAM, 58],
    ['raw IP', 2, RAW, 255],
    ['raw TCP', 2, RAW, 6],
    ['raw IPv6', 10, RAW, 255],
    ['SCTP', 2, STREAM, 132],
    ['DCCP', 2, 6, 33],
    ['MPTCP', 2, STREAM, 262],
    ['DCCP, with no protocol named', 2, 6, 0],
    ['sequenced packets by IP', 2, SEQPACKET, 0],
    ['sequenced packets by IPv6', 10, SEQPACKET, 0],
    ['reliable datagrams by IP', 2, 4, 0],
    ['UDP-Lite', 2, DATAGRAM, 136],
    ['UDP as a stream', 2, STREAM, 17],
    ['raw Unix', 1, RAW, 0],
    ['netlink route, whose answers the kernel would keep', 16, RAW, 0],
    ['netlink route as datagrams', 16, DATAGRAM, 0],
    ['netlink route as a stream', 16, STREAM, 0],
    ['netlink netfilter', 16, RAW, 12],
    ['netlink generic', 16, RAW, 16],
    ['netlink audit', 16, RAW, 9],
    ['netlink uevent', 16, RAW, 15],
    ['netlink sock_diag', 16, RAW, 4],
  ])('none of %s', async (_, family, type, protocol) => {
    const answer = await attacker.findings(`
libc = ctypes.CDLL(None, use_errno=True)
call = {"x86_64": 41, "aarch64": 198}[os.uname().machine]
made = libc.syscall(ctypes.c_long(call), ctypes.c_long(${family}), ctypes.c_long(${type}), ctypes.c_long(${protocol}))
print("made" if made >= 0 else errno.errorcode[ctypes.get_errno()])
`);
    expect(answer).toMatch(/^E(AFNOSUPPORT|PROTONOSUPPORT|PERM)$/);
  });
});
