import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

import { CONNECT, DATAGRAMS, GATE_PRELUDE, NAMES, OUT_OF_BOUNDS } from '../../../../libs/attacks/index.js';
import { Dialer, EgressRefused } from '../../../../libs/egress/index.js';
import { randomText } from '../../../core/crypto/index.js';
import { notRefused, notRefusedOf } from '../answers.js';
import type { ProofBench } from '../proof-bench.js';
import { Receiver } from '../receiver.js';
import type { Wall } from '../wall.js';

/** Names below it are this machine's loopback to every resolver (RFC 6761), so that nothing is asked of anybody. */
const OWN = 'proof.localhost';
const LOOPBACK = ['127.0.0.1/32'];
const METADATA = '169.254.169.254';
const UNREACHABLE = /^E(CONNREFUSED|NETUNREACH|ADDRNOTAVAIL|INVAL)$/;
const NETWORK = 'Let network namespaces be made, and look for a changed launcher.';

export const NETWORK_WALLS: readonly Wall[] = [
  {
    name: 'network',
    says: 'A script has no way out but the gate: not to this machine, private networks, metadata or the world.',
    cure: NETWORK,
    quick: true,
    attack: dial,
  },
  {
    name: 'names',
    says: 'Names tell a script nothing: each is its own loopback, and no other server answers.',
    cure: NETWORK,
    quick: true,
    attack: askForNames,
  },
  {
    name: 'undeclared-hosts',
    says: 'The gate refuses a host that the version has not declared.',
    cure: 'Look for an extension or a change of this program that declares hosts for everybody.',
    quick: true,
    attack: askUndeclared,
  },
  {
    name: 'private-addresses',
    says: 'The gate dials neither this machine nor the metadata of a cloud for a declared name.',
    cure: "Take this machine's own addresses and metadata out of GATEHOUSE_OUTBOUND_ALLOW.",
    quick: true,
    attack: reachPrivate,
  },
  {
    name: 'secrets',
    says: 'A secret goes to its host and is never in the box, not even where the host sends it back.',
    cure: 'Look for an extension or a change of this program that gives secrets to scripts.',
    quick: true,
    attack: readSecret,
  },
];

async function dial(bench: ProofBench): Promise<string[]> {
  let connections = 0;
  const abstract = `\0proof-${randomText(20)}`;
  const servers = [createServer(), createServer(), createServer()] as const;
  const datagrams = createSocket('udp4').on('message', () => (connections += 1));
  try {
    for (const server of servers) server.on('connection', (socket) => (connections++, socket.destroy()));
    servers[0].listen(0, '127.0.0.1');
    servers[1].listen({ path: abstract });
    datagrams.bind(0, '127.0.0.1');
    await Promise.all([
      once(servers[0], 'listening'),
      once(servers[1], 'listening'),
      once(datagrams, 'listening'),
    ]);
    const { port } = servers[0].address() as AddressInfo;
    // Of IPv6 there may be none.
    const onAll = await new Promise<boolean>((resolve) =>
      servers[2].once('error', () => resolve(false)).listen({ host: '::', port: 0 }, () => resolve(true)),
    );
    const ports = [port, ...(onAll ? [(servers[2].address() as AddressInfo).port] : [])];
    const own = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).map(({ address }) => address),
    );
    const hosts = ['127.0.0.2', '0.0.0.0', '::1', '::ffff:127.0.0.1', '172.17.0.1', ...own];
    const targets = [
      ...hosts.flatMap((host) => ports.map((each) => [host, each])),
      ...OUT_OF_BOUNDS.flatMap((host) => [80, 443].map((each) => [host, each])),
      abstract,
    ];
    const hostsOfRun = [`${OWN}:8443`];
    const answers = await bench.findings<string[]>({ code: CONNECT, inputs: { targets }, hosts: hostsOfRun });
    await bench.findings({
      code: DATAGRAMS,
      inputs: { port: datagrams.address().port },
      hosts: hostsOfRun,
    });
    const reached = notRefusedOf(targets.map(String), answers, UNREACHABLE);
    if (connections > 0) reached.push(`${connections} connections and datagrams arrived on this machine`);
    return reached;
  } finally {
    for (const server of servers) server.close();
    datagrams.close();
  }
}

interface Names {
  addresses: string[];
  others: Record<string, string[]>;
  elsewhere: Record<string, string>;
  'by TCP': string;
}

async function askForNames(bench: ProofBench): Promise<string[]> {
  const found = await bench.findings<Names>({ code: NAMES, hosts: ['secret.example.com'] });
  const reached = found.addresses
    .filter((address) => !address.startsWith('127.'))
    .map((address) => `the address ${address}`);
  for (const [kind, records] of Object.entries(found.others))
    for (const record of records)
      if (!record.startsWith('127.')) reached.push(`a record of kind ${kind}: ${record}`);
  return [
    ...reached,
    ...notRefused(found.elsewhere, UNREACHABLE),
    ...notRefused({ 'by TCP': found['by TCP'] }, UNREACHABLE),
  ];
}

/** An undeclared name on a port that is declared for another: it comes to the gate, and must not go further. */
async function askUndeclared(bench: ProofBench): Promise<string[]> {
  return withReceiver(async ({ port, received, ca }) => {
    const code = `${GATE_PRELUDE}
print(json.dumps([outcome(lambda: get(${port}, "/", name)["status"]) for name in ("other.localhost", "${OWN}.", "x.${OWN}", "${OWN}")]))
`;
    const opened = { allow: LOOPBACK, ca: [ca] };
    const statuses = await bench.findings<unknown[]>({ code, hosts: [`${OWN}:${port}`], opened });
    const others = received.filter(({ host }) => host !== `${OWN}:${port}`);
    if (statuses.at(-1) !== 200) throw new Error(`the declared host answered ${String(statuses.at(-1))}`);
    return others.map(({ host }) => `a request for ${host} has left`);
  });
}

/** As the settings have it. */
async function reachPrivate(bench: ProofBench): Promise<string[]> {
  const { outboundAllow } = bench.parts.settings;
  const reached: string[] = [];
  const dialer = new Dialer({ allow: outboundAllow });
  const refusal: unknown = await dialer.addresses(METADATA).catch((error: unknown) => error);
  if (!(refusal instanceof EgressRefused)) reached.push(`${METADATA} may be dialled`);
  await withReceiver(async ({ port, received, ca }) => {
    const code = `${GATE_PRELUDE}\nprint(json.dumps(outcome(lambda: get(${port}, "/", "${OWN}")["status"])))`;
    await bench.findings({ code, hosts: [`${OWN}:${port}`], opened: { allow: [], ca: [ca] } });
    if (received.length > 0) reached.push('a request to 127.0.0.1 has left');
  });
  return reached;
}

async function readSecret(bench: ProofBench): Promise<string[]> {
  return withReceiver(async ({ port, received, ca }) => {
    const value = `proof-${randomText(40)}`;
    const host = `${OWN}:${port}`;
    const code = `${GATE_PRELUDE}
answer = outcome(lambda: get(${port}, "/", "${OWN}")["text"])
print(json.dumps([os.environ.get("PROOF_SECRET"), answer, dict(os.environ), open("/proc/self/environ").read()]))
`;
    const { stdout, stderr, findings, gateLines } = await bench.attack({
      code,
      hosts: [host],
      opened: { allow: LOOPBACK, ca: [ca] },
      secrets: { PROOF_SECRET: { header: 'Authorization', hosts: [host], value: 'Bearer {secret}' } },
      values: { PROOF_SECRET: { value, hosts: [host] } },
    });
    const [placeholder] = Array.isArray(findings) ? (findings as unknown[]) : [];
    const reached: string[] = [];
    if ([stdout, stderr, ...gateLines].some((text) => text.includes(value))) reached.push('the value');
    else if (received[0]?.authorization !== `Bearer ${value}`)
      throw new Error(`the secret did not reach its host: ${gateLines.join('; ') || stderr.trim()}`);
    else if (typeof placeholder !== 'string') throw new Error('there is no placeholder');
    return reached;
  });
}

async function withReceiver<T>(work: (receiver: Receiver) => Promise<T>): Promise<T> {
  const receiver = await Receiver.open();
  try {
    return await work(receiver);
  } finally {
    await receiver.close();
  }
}
