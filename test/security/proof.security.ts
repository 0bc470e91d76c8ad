import { type BindOptions, createSocket } from 'node:dgram';
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { decode, encode } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { GateProcess, type RemoteGate, type RemoteGateOptions } from '../../libs/egress/index.js';
import { type BoxSpec, Sandbox, type SandboxOptions } from '../../libs/sandbox/index.js';
import { Settings } from '../../src/core/config/index.js';
import { sandboxOptionsOf } from '../../src/runs/execution/sandbox-of-worker.js';
import type { BenchParts } from '../../src/runs/proof/proof-bench.js';
import { QUICK_WALLS, tryWalls } from '../../src/runs/proof/try-walls.js';
import { WALLS } from '../../src/runs/proof/walls/index.js';

const PLACES = 4;
const SECRET = 'a-secret-of-the-worker-0815';
/** seccomp_data is not looked at: RET with ALLOW. */
const ALLOW_ALL = Buffer.from([0x06, 0, 0, 0, 0, 0, 0xff, 0x7f]);
const FILTERED = ['namespaces', 'mounts', 'tracing', 'kernel-doors', 'unknown-calls', 'raw-sockets'];

let data: string;
let settings: Settings;
let sandbox: Sandbox;
let gates: GateProcess;
const opened: Sandbox[] = [];

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'gatehouse-proof-'));
  await writeFile(join(data, 'master.key'), Buffer.alloc(32, 9).toString('base64'), { mode: 0o600 });
  const node = process.env['GATEHOUSE_NODE'];
  settings = new Settings({ GATEHOUSE_DATA: data, ...(node && { GATEHOUSE_NODE: node }) });
  sandbox = await open();
  gates = await GateProcess.start();
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await gates?.close();
  await rm(data, { recursive: true, force: true });
});

/** As a worker with these settings does it. */
async function open(more: SandboxOptions = {}): Promise<Sandbox> {
  const options = { ...sandboxOptionsOf(settings), maxSlots: PLACES, warmSlots: 1 };
  const made = await Sandbox.open({ ...options, templates: false, kept: false, ...more });
  opened.push(made);
  return made;
}

type Change = (parts: BenchParts) => BenchParts;

/** The walls that do not hold, each with what was found. */
async function missing(names: readonly string[] | null, change: Change = (parts) => parts) {
  const walls = names ? WALLS.filter(({ name }) => names.includes(name)) : QUICK_WALLS;
  const parts = { settings, sandbox, gates, folder: data, secrets: [SECRET], openAnother: () => open() };
  const results = await tryWalls(change(parts), { places: PLACES, walls });
  expect(results.map(({ name }) => name)).toEqual(walls.map(({ name }) => name));
  return Object.fromEntries(
    results
      .filter(({ state }) => state !== 'held')
      .map(({ name, state, found }) => [name, `${state}: ${found}`]),
  );
}

/** Changes each box before it is made. */
const boxes =
  (change: (spec: BoxSpec) => Partial<BoxSpec>): Change =>
  ({ sandbox: made, ...parts }) => {
    const { limits, boxUsers, runtimes } = made;
    return {
      ...parts,
      sandbox: { limits, boxUsers, runtimes, run: (spec) => made.run({ ...spec, ...change(spec) }) },
    };
  };

const limits = (more: BoxSpec['limits']): Change =>
  boxes((spec) => ({ limits: { ...spec.limits, ...more } }));

/** Changes what each gate lets through, and the gate that is made. */
const gate =
  (change: (options: RemoteGateOptions) => RemoteGateOptions, wrap = (made: RemoteGate) => made): Change =>
  (parts) => ({
    ...parts,
    gates: {
      certificate: parts.gates.certificate,
      open: (options, events) => wrap(parts.gates.open(change(options), events)),
    },
  });

/** What a program with this part says, in place of what it finds: for walls that no option takes away. */
const answers = (part: string, findings: unknown): Change =>
  boxes((spec) =>
    !programOf(spec).includes(part)
      ? {}
      : { argv: ['python3', '-c', `print(${JSON.stringify(JSON.stringify(findings))})`] },
  );

const alsoAnother = (options: RemoteGateOptions): RemoteGateOptions => ({
  ...options,
  hosts: options.hosts.flatMap((host) => [host, host.replace('proof.localhost', 'other.localhost')]),
});

describe('on this machine', () => {
  it('every wall holds', { tags: 'slow' }, async () => {
    expect(await missing(WALLS.map(({ name }) => name))).toEqual({});
  });

  it('without cgroups, two say that they cannot be here, and what to change', async () => {
    const reduced = await open({ forceReduced: true });
    const tried = ['kernel-doors', 'memory', 'memory-together', 'process-limit', 'processor'];
    const found = await missing(tried, (parts) => ({ ...parts, sandbox: reduced }));
    expect(found).toEqual({
      'memory-together': expect.stringMatching(/^cannot-be-here: no cgroup/) as string,
      processor: expect.stringMatching(/^cannot-be-here: no cgroup/) as string,
    });
  });

  it('without memory for what is within a limit, nothing shows that it holds', async () => {
    const change = limits({ memoryBytes: 16 * 2 ** 20 });
    const found = await missing(['memory', 'memory-together'], change);
    const untried = expect.stringMatching(
      /^not-held: it could not be tried: what is within 128 MiB/,
    ) as string;
    expect(found).toEqual({ memory: untried, 'memory-together': untried });
  });

  it('without ids to give, boxes have no users of their own', async () => {
    const { limits: mode, runtimes } = sandbox;
    const own = {
      limits: mode,
      runtimes,
      boxUsers: 'own' as const,
      run: (spec: BoxSpec) => sandbox.run(spec),
    };
    const found = await missing(['own-users'], (parts) => ({ ...parts, sandbox: own }));
    expect(found).toEqual({
      'own-users': expect.stringMatching(/^cannot-be-here: .*no other ids/) as string,
    });
  });

  it('without Python, nothing counts as held', async () => {
    const change = boxes(() => ({}));
    const found = await missing(null, (parts) => {
      const changed = change(parts);
      return { ...changed, sandbox: { ...changed.sandbox, runtimes: { ...sandbox.runtimes, python: null } } };
    });
    expect(Object.keys(found)).toEqual(QUICK_WALLS.map(({ name }) => name));
    for (const words of Object.values(found)) expect(words).toMatch(/^cannot-be-here: .*Python/);
  });

  it('boxes that are not made show nothing, so no wall counts as held', async () => {
    const found = await missing(
      ['host-files', 'network', 'secrets'],
      boxes(() => ({ argv: ['there-is-no-such-program'] })),
    );
    expect(Object.keys(found)).toEqual(['host-files', 'network', 'secrets']);
    for (const words of Object.values(found)) expect(words).toMatch(/^not-held: it could not be tried/);
  });
});

/** Has the gates' name server say what is true, as one does that is asked by a resolver. */
function truthful(made: RemoteGate): RemoteGate {
  const wrapped = Object.create(made) as RemoteGate;
  wrapped.serveDns = (handle) => {
    const socket = createSocket('udp4');
    socket.on('message', (message, { port, address }) => {
      const { id, questions = [] } = decode(message);
      const type = 'A' as const;
      const found = questions.map(({ name }) => ({ type, name, ttl: 60, data: '93.184.216.34' }));
      socket.send(
        encode({ type: 'response', id, questions, answers: found }),
        port,
        address,
        () => undefined,
      );
    });
    socket.bind(handle as unknown as BindOptions);
    wrapped.close = async () => {
      socket.close();
      return made.close();
    };
  };
  return wrapped;
}

function inDataDirectory(parts: BenchParts): BenchParts {
  return boxes((spec) => {
    copyFileSync(join(spec.app, 'main.py'), join(data, 'main.py'));
    chmodSync(data, 0o755);
    return { app: data };
  })(parts);
}

function writableApp(parts: BenchParts): BenchParts {
  return boxes(() => ({ writableApp: { maxBytes: 2 ** 20, maxFiles: 100 } }))(parts);
}

/** Its closing is put off until the tests are over. */
function staying(parts: BenchParts): BenchParts {
  return {
    ...parts,
    openAnother: async () => {
      const made = await open();
      const { limits: mode, boxUsers, runtimes } = made;
      return {
        limits: mode,
        boxUsers,
        runtimes,
        run: (spec) => made.run(spec),
        close: () => Promise.resolve(),
      };
    },
  };
}

/** The box beside shows its inputs to the one that looks for them. */
function seenBeside(): Change {
  let neighbour = '';
  return boxes((spec) => {
    if (spec.argv.some((word) => word.startsWith('hidden-'))) neighbour = spec.inputs!;
    const seeks = programOf(spec).includes('places("hidden-');
    return seeks ? { extraRoBinds: [{ source: neighbour, target: '/var' }] } : {};
  });
}

/** The value of the secret that the gate attaches is a variable of the box as well. */
const leakedSecret: Change = (parts) => {
  let value = '';
  const opening = gate((options) => {
    value = options.secrets?.[0]?.value ?? value;
    return options;
  })(parts);
  return boxes((spec) => ({ env: { ...spec.env, LEAKED: value } }))(opening);
};

/** One more listener in the box, on the port where this machine listens. */
const listening = boxes((spec) => {
  const { targets } = inputsOf(spec);
  if (!spec.network || !Array.isArray(targets)) return {};
  const port = (targets as [string, number][])[0]![1];
  return { network: { ...spec.network, ports: [...spec.network.ports, port] } };
});

const programOf = (spec: BoxSpec): string => readFileSync(join(spec.app, 'main.py'), 'utf8');

const inputsOf = (spec: BoxSpec): Record<string, unknown> =>
  JSON.parse(readFileSync(join(spec.inputs!, '.inputs.json'), 'utf8')) as Record<string, unknown>;

const NONE = '0000000000000000';
const rights = {
  Uid: '1000',
  NoNewPrivs: '0',
  Seccomp: '2',
  CapInh: NONE,
  CapPrm: NONE,
  CapEff: NONE,
  CapBnd: NONE,
  CapAmb: NONE,
};

const notHeld = (walls: string[]): Record<string, unknown> =>
  Object.fromEntries(
    walls.map((name) => [name, expect.stringMatching(/^not-held: (?!it could not be tried)/)]),
  );

describe('one wall taken away turns its line, and no other', { tags: 'slow' }, () => {
  it.each<[taken: string, walls: string[], change: Change]>([
    [
      'the host’s /var in place of the box’s',
      ['host-files'],
      boxes(() => ({ extraRoBinds: [{ source: '/var', target: '/var' }] })),
    ],
    ['a box that sees the next one’s inputs', ['other-boxes'], seenBeside()],
    [
      'the worker’s secret among the variables',
      ['credentials'],
      boxes((spec) => ({ env: { ...spec.env, LEAKED: SECRET } })),
    ],
    ['more memory', ['memory', 'memory-together'], limits({ memoryBytes: 2 ** 31 })],
    ['more processes', ['process-limit'], limits({ processes: 1000 })],
    ['a listener in the box', ['network'], listening],
    ['a name server that tells the truth', ['names'], gate((options) => options, truthful)],
    ['a gate that lets another host through', ['undeclared-hosts'], gate(alsoAnother)],
    [
      'a gate that dials this machine',
      ['private-addresses'],
      gate((options) => ({ ...options, allow: ['127.0.0.0/8'] })),
    ],
    ['the value of an attached secret', ['secrets'], leakedSecret],
  ])('%s', async (_, walls, change) => {
    const found = await missing(null, change);
    expect(found).toEqual(notHeld(walls));
  });

  it('the filter of system calls', async () => {
    const loose = await open({ warmSlots: 0, stateDirectory: join(data, 'loose') });
    for (const name of readdirSync(join(data, 'loose')))
      writeFileSync(join(data, 'loose', name, 'seccomp'), ALLOW_ALL);
    // Slots with other limits are made anew, with the filter that is there then.
    const change = limits({ openFiles: 1000 });
    const found = await missing(null, (parts) => change({ ...parts, sandbox: loose }));
    expect(found).toEqual(notHeld(FILTERED));
  });

  it.each<[taken: string, wall: string, change: Change]>([
    ['the whole of the data directory as /app', 'data-directory', inDataDirectory],
    ['an /app that can be written to', 'read-only', writableApp],
    ['processors without a bound', 'processor', limits({ cpus: 0 })],
    ['no time-out', 'time-out', boxes(() => ({ timeoutMs: 0 }))],
    ['a larger /tmp', 'space', limits({ tmpBytes: 2 ** 28 })],
    ['more files', 'inodes', limits({ files: 200_000 })],
    ['a sandbox that stays', 'left-behind', staying],
    [
      'what a process of the machine would look like',
      'other-processes',
      answers('/proc/1/environ', {
        processes: [1, 2, 3, 4, 5],
        environ: 'A=b',
        cmdline: '',
        descriptors: [],
        cgroup: ['/'],
      }),
    ],
    ['what a script with rights would see', 'privileges', answers('CapInh', rights)],
    ['what a setuid program would be', 'setuid', answers('honoured', ['/usr/bin/su'])],
  ])('%s', async (_, wall, change) => {
    // On a very busy machine nobody takes more of the processors than a bound would leave them.
    await expect.poll(() => missing([wall], change)).toEqual(notHeld([wall]));
  });
});
