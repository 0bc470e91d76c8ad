import { randomBytes } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, createClient, type Json, Seed } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { Mirror } from '../support/mirror.js';
import {
  archiveOf,
  finished,
  newSlug,
  publishedScript,
  run,
  runUntil,
  type TestScript,
} from '../support/scripts.js';
import { limitsAreReduced } from './support/attack.js';

let service: Awaited<ReturnType<typeof startGatehouse>>;
let pool: pg.Pool;
let mirror: Mirror;
let attacker: Client;
let victim: Client;

/** One worker, where nobody else runs anything: its folders go from one run to the next. */
beforeAll(async () => {
  mirror = await Mirror.start(() => true);
  service = await startGatehouse({
    env: {
      PIP_CONFIG_FILE: '/dev/null',
      PIP_INDEX_URL: `http://localhost:${mirror.port}/simple`,
      GATEHOUSE_TEMPLATES: 'on',
      GATEHOUSE_KEPT_MEMORY: '512',
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_RATE_LIMIT: '0',
    },
  });
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 });
  [attacker, victim] = [await someone(), await someone()];
});
afterAll(async () => {
  await pool.end();
  await service.stop();
  await mirror.stop();
});

/** The owner of a workspace of their own. */
async function someone(): Promise<Client> {
  const { baseUrl } = service;
  const { owner, slug } = await new Seed(baseUrl, pool).workspace();
  return createClient({ baseUrl, token: owner.token, workspace: slug });
}

/** Neither stays where memory is not counted, and nothing is forked where no interpreter waits. */
const nothingStays = async (): Promise<boolean> =>
  process.env['GATEHOUSE_WARM'] === 'off' || (await limitsAreReduced());

const TOOLS = `
import ctypes, errno, fcntl, json, mmap, os, socket, sys, time
def refusal(action, *arguments):
    try:
        return "done: %r" % (action(*arguments),)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
`;

/** A process that stays, and has descriptors enough from its first answer on. */
const STAYS = {
  'main.py': `${TOOLS}
kept, pipes = {}, [os.pipe() for _ in range(4)]
room = [os.open("/dev/null", os.O_RDONLY) for _ in range(8)]
count = 0
def main(inputs, run):
    global count
    count += 1
    scope = {**globals(), "found": None, "file": "/inputs/.inputs.json"}
    exec(inputs["code"], scope)
    return {"count": count, "found": scope["found"]}
`,
};

/** A program, forked from a template once it has run some times. */
const FORKS = {
  'main.py': `${TOOLS}
found, file = None, "/inputs/.inputs.json"
with open(file) as opened:
    code = json.load(opened)["code"]
exec(code)
sys.stdout.write(json.dumps({"forked": os.getppid() == 3, "found": found}))
`,
};

const ANY = { inputSchema: { type: 'object' } };
const STAYING = { ...ANY, command: 'python main.py', handler: true, keep: {} };
const staying = (api: Client): Promise<TestScript> => publishedScript(api, STAYS, STAYING);

/** As long as the inputs of others may be, so that there is room for them. */
const PADDING = 'x'.repeat(3000);

async function tell(api: Client, script: TestScript, code: string): Promise<Json> {
  const { body, text } = await run(api, script, { code, PADDING });
  expect(body.id, text).toBeDefined();
  const ended = await runUntil(api, body.id, finished);
  expect(ended).toMatchObject({ status: 'succeeded', error: null });
  return ended.output as Json;
}

async function untilItStays(api: Client, script: TestScript): Promise<void> {
  await expect.poll(async () => (await tell(api, script, '')).count).toBeGreaterThan(1);
}

async function untilItForks(api: Client, script: TestScript): Promise<void> {
  await expect.poll(async () => (await tell(api, script, '')).forked).toBe(true);
}

/** Each keeps its run's inputs in another way, and tells later what is there. */
const KEEPS: Record<string, [keeps: string, looks: string]> = {
  'an open file': [
    'kept["mine"] = open(file) if not kept else kept["mine"]',
    'kept["mine"].seek(0)\n    found = kept["mine"].read()',
  ],
  'an open folder': [
    'kept["mine"] = os.open("/inputs", os.O_RDONLY)',
    'found = open(os.open(".inputs.json", os.O_RDONLY, dir_fd=kept["mine"])).read()',
  ],
  'a mapping': [
    'with open(file) as opened: kept["mine"] = mmap.mmap(opened.fileno(), 0, prot=mmap.PROT_READ)',
    'found = kept["mine"][:].decode(errors="replace")',
  ],
  'its pages in a pipe': [
    'opened = os.open(file, os.O_RDONLY)\nos.splice(opened, pipes[0][1], 4096)\nos.close(opened)\nkept["mine"] = 1',
    // Another process of the script may be asked, which has read its own already.
    'os.set_blocking(pipes[0][0], False)\n    found = refusal(os.read, pipes[0][0], 4096)',
  ],
  'its pages in a connection whose other end is gone': [
    `while room: os.close(room.pop())
with socket.create_server(("127.0.0.1", 0)) as server:
    other = socket.create_connection(server.getsockname())
    kept["mine"], _ = server.accept()
opened = os.open(file, os.O_RDONLY)
os.sendfile(other.fileno(), opened, 0, 4096)
os.close(opened)
other.close()`,
    'found = kept["mine"].recv(4096).decode(errors="replace")',
  ],
};

describe('a folder of inputs that serves workspace after workspace', () => {
  it.each(Object.entries(KEEPS))(
    'shows nothing to a process of another one that stays with %s',
    async (_, [keeps, looks]) => {
      if (await nothingStays()) return;
      const script = await staying(attacker);
      const waits = await publishedScript(
        victim,
        { 'main.py': 'import time\ntime.sleep(99)' },
        { ...ANY, timeout: 120 },
      );
      for (let round = 0; round < 3; round++) {
        await untilItStays(attacker, script);
        await tell(attacker, script, keeps);
        const secret = `of-the-victim-${randomBytes(8).toString('hex')}`;
        const { body, text } = await run(victim, waits, { secret, PADDING });
        expect(body.id, text).toBeDefined();
        await runUntil(victim, body.id, ({ phase }) => phase === 'executing');
        const { found } = await tell(attacker, script, `if kept:\n    ${looks}`);
        expect(`${found}`).not.toContain(secret);
        expect((await victim.post(`/v1/runs/${body.id}/cancel`)).status).toBeLessThan(300);
        await runUntil(victim, body.id, finished);
      }
    },
  );
});

/** The same archive, and the same packages, so that a worker has one folder for both. */
async function sameForBoth(
  files: Record<string, string>,
  fields: Record<string, unknown>,
): Promise<{ theirs: TestScript; mine: TestScript }> {
  const archive = await archiveOf({ ...files, 'requirements.txt': 'housemade' });
  const publish = async (api: Client): Promise<TestScript> => {
    const slug = newSlug();
    const { body } = await api.post('/v1/scripts', { slug, name: slug });
    for (const [path, given, status] of [
      ['versions', { archive, ...fields }, 201],
      ['publish', { version: 1 }, 200],
    ] as const)
      expect((await api.post(`/v1/scripts/${slug}/${path}`, given)).status).toBe(status);
    return { slug, id: (body as { id: string }).id };
  };
  return { theirs: await publish(attacker), mine: await publish(victim) };
}

const SHARED = ['/app/main.py', '/app/.deps/housemade.py'];

/** What one may try with the files of a folder that others have, too. */
const CHANGES = `
found = []
for name in FILES:
    folder = os.path.dirname(name)
    for attempt in (
        lambda: open(name, "r+"), lambda: os.truncate(name, 0), lambda: os.unlink(name), lambda: os.chmod(name, 0o777),
        lambda: os.utime(name), lambda: os.rename(name, name + "x"), lambda: os.link(name, folder + "/link"),
        lambda: os.mkdir(folder + "/left"), lambda: os.open(folder, os.O_TMPFILE | os.O_RDWR),
        lambda: mmap.mmap(os.open(name, os.O_RDONLY), 0, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE),
        lambda: os.setxattr(name, "user.left", b"x"), lambda: open("/proc/self/fd/%d" % os.open(name, os.O_RDONLY), "r+")):
        found.append(refusal(attempt))
`.replace('FILES', JSON.stringify(SHARED));

const LOOKS = `
import hashlib
found = [[os.stat(name).st_ino, hashlib.sha256(open(name, "rb").read()).hexdigest(), sorted(os.listdir(os.path.dirname(name))),
          refusal(fcntl.flock, open(name), fcntl.LOCK_EX | fcntl.LOCK_NB), refusal(fcntl.lockf, open(name), fcntl.LOCK_SH | fcntl.LOCK_NB)]
         for name in FILES]
`.replace('FILES', JSON.stringify(SHARED));

/** By what lives on: the process itself, and a daemon. */
const HOLDS = `
import builtins
builtins.mine = [open(name) for name in FILES]
for one in builtins.mine: fcntl.flock(one, fcntl.LOCK_EX)
if os.fork() == 0:
    for number in range(3): os.close(number)
    time.sleep(99)
`.replace('FILES', JSON.stringify(SHARED));

describe('a folder of code, and a layer, that two workspaces share', () => {
  it.each([
    ['a process that stays', STAYS, STAYING, untilItStays],
    ['forked processes', FORKS, ANY, untilItForks],
  ] as const)('are as they were after %s of another one', async (_, files, fields, untilWarm) => {
    if (await nothingStays()) return;
    const { theirs, mine } = await sameForBoth(files, fields);
    await untilWarm(attacker, theirs);
    await untilWarm(victim, mine);
    const { found: before } = await tell(victim, mine, LOOKS);
    // The very same files.
    expect((await tell(attacker, theirs, LOOKS)).found).toEqual(before);
    const { found } = await tell(attacker, theirs, CHANGES);
    expect(new Set(found as string[])).toEqual(new Set(['EROFS', 'EACCES', 'ENOTSUP']));
    await tell(attacker, theirs, HOLDS);
    expect((await tell(victim, mine, LOOKS)).found).toEqual(before);
  });
});
