import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { finished, runUntil } from '../support/scripts.js';
import { eventually, newMarker, processesWith } from './support/attack.js';
import { descriptorsOf, gatePid, starterPid, statusOf } from './support/gate-pids.js';
import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker({ alone: true });
const isRoot = process.getuid?.() === 0;
const NOTHING = '0000000000000000';
const worker = (): number => attacker.gatehouse.pid;
const gate = (): number => gatePid(worker())!;

/** Kills what reads the boxes' bytes, and waits until there is another. */
async function kill(pid: number): Promise<void> {
  const before = gate();
  process.kill(pid, 'SIGKILL');
  await eventually(() => ![null, before].includes(gatePid(worker())));
  await eventually(async () => (await attacker.api.get('/health/ready')).body.checks.gate === 'ok');
}

describe("the gate's process", () => {
  it.runIf(isRoot)('is a user of its own who may nothing', () => {
    const [user] = statusOf(gate(), 'Uid');
    expect(Number(user)).toBeGreaterThan(60_000);
    for (const pid of [gate(), starterPid(worker())!]) {
      for (const thread of readdirSync(`/proc/${pid}/task`).map(Number)) {
        expect(statusOf(thread, 'Uid')).toEqual([user, user, user, user]);
        expect(statusOf(thread, 'Gid')).toEqual([user, user, user, user]);
        expect(statusOf(thread, 'Groups')).toEqual([]);
        for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
          expect(statusOf(thread, set), set).toEqual([NOTHING]);
        expect(statusOf(thread, 'NoNewPrivs')).toEqual(['1']);
      }
    }
  });

  it('has an empty environment, and no descriptors but those to its worker and of its own', () => {
    const environment = readFileSync(`/proc/${gate()}/environ`, 'utf8').split('\0').filter(Boolean);
    expect(environment.sort()).toEqual(['NODE_CHANNEL_FD=3', 'NODE_CHANNEL_SERIALIZATION_MODE=json']);
    const unix = new Set(
      readFileSync('/proc/net/unix', 'utf8')
        .split('\n')
        .map((line) => line.split(/\s+/)[6]),
    );
    for (const target of descriptorsOf(gate()).values()) {
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (inode !== undefined) expect(unix, 'a connection to somewhere').toContain(inode);
      else expect(target).toMatch(/^(\/dev\/(null|urandom)|pipe:.*|anon_inode:.*)$/);
    }
    const limits = readFileSync(`/proc/${gate()}/limits`, 'utf8');
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
    expect(Number(readFileSync(`/proc/${gate()}/oom_score_adj`, 'utf8'))).toBeGreaterThanOrEqual(300);
  });

  it.runIf(isRoot)('can read neither the data directory nor its worker', () => {
    const uid = Number(statusOf(gate(), 'Uid')[0]);
    const read = (...command: [string, ...string[]]): string => {
      try {
        const [program, ...words] = command;
        return `read: ${execFileSync(program, words, { uid, gid: uid, encoding: 'utf8', cwd: '/', stdio: 'pipe' })}`;
      } catch (error) {
        return String((error as { stderr: unknown }).stderr);
      }
    };
    const data = attacker.gatehouse.dataDirectory;
    for (const command of [
      ['cat', join(data, 'master.key')],
      ['cat', join(data, 'first-run.json')],
      ['ls', data],
      ['cat', `/proc/${worker()}/environ`],
      ['ls', `/proc/${worker()}/fd`],
    ] as [string, string][])
      expect(read(...command)).toMatch(/Permission denied/);
  });

  it.runIf(isRoot)('is another user than the boxes are', async () => {
    const marker = newMarker();
    const script = await attacker.script(
      `subprocess.run([sys.executable, "-c", "import time; time.sleep(5)", "${marker}"])`,
      { timeout: 40 },
    );
    const id = await attacker.begin(script);
    await eventually(() => processesWith(marker).length > 0);
    const users = processesWith(marker).map((pid) => statusOf(pid, 'Uid')[0]);
    expect(users).not.toContain(statusOf(gate(), 'Uid')[0]);
    expect(users).not.toContain('0');
    await runUntil(attacker.api, id, finished, 60_000);
  });
});

describe('a kill of the gate', () => {
  let port: number;
  let asked = 0;
  let release = (): void => undefined;
  beforeAll(async () => {
    port = await attacker.upstreams.start((request, response) => {
      asked += 1;
      if (request.url === '/slow') release = () => response.end('late');
      else response.end('there');
    });
  });

  /** Waits in a request, and asks again until it gets a response, or `times` times. */
  const CLIENT = `
i = inputs()
first = outcome(get, i["port"], "/slow")
again = "nothing"
for _ in range(i["times"]):
    again = outcome(get, i["port"], "/again")
    if isinstance(again, dict) and again["status"] == 200: break
    time.sleep(0.1)
name = outcome(socket.gethostbyname, "sub.localhost")
print(json.dumps([first["status"] if isinstance(first, dict) else first, again["status"] if isinstance(again, dict) else again, name]))`;

  it.each<[string, () => number]>([
    ['itself', gate],
    ['or of what stands between it and its worker', () => starterPid(worker())!],
  ])(
    '%s breaks requests off; the next one takes the runs over, and others notice nothing',
    async (_, victim) => {
      const quiet = await attacker.script(`time.sleep(4); print(json.dumps("slept"))`, { timeout: 40 });
      const script = await attacker.script(CLIENT, {
        hosts: [`localhost:${port}`, `*.localhost:${port}`],
        timeout: 60,
      });
      const before = asked;
      const [sleeping, asking] = await Promise.all([
        attacker.begin(quiet),
        attacker.begin(script, { port, times: 100 }),
      ]);
      await eventually(() => asked > before);
      await kill(victim());
      const end = await runUntil(attacker.api, asking, finished, 60_000);
      expect(end).toMatchObject({ status: 'succeeded' });
      expect(end['output'][0]).not.toBe(200);
      expect(end['output'].slice(1)).toEqual([200, '127.0.0.1']);
      expect(await attacker.log(asking)).toMatch(
        /gate: its process ended \(killed by SIGKILL\); requests that were under way have failed, and it is started again/,
      );
      expect(end['network']).toMatchObject([{ host: `localhost:${port}`, denied: 0 }]);
      const slept = await runUntil(attacker.api, sleeping, finished, 60_000);
      expect(slept).toMatchObject({ status: 'succeeded', output: 'slept' });
      expect(await attacker.log(sleeping)).toBe('');
      const afterwards = await attacker.attempt(`print(json.dumps(get(${port})["status"]))`, {
        hosts: [`localhost:${port}`],
      });
      expect(afterwards).toMatchObject({ status: 'succeeded', output: 200 });
      release();
    },
  );

  it(
    'again and again during one run closes the way out of that run, not of the next',
    { tags: 'slow' },
    async () => {
      const script = await attacker.script(
        `
import urllib.error, urllib.request
def fetch():
    try: return urllib.request.urlopen("https://localhost:${port}/", timeout=10).status
    except urllib.error.URLError as error: return type(error.reason).__name__
    except OSError as error: return type(error).__name__
seen = [fetch()]
while seen[-1] != "ConnectionRefusedError" and len(seen) < 500:
    seen.append(fetch()); time.sleep(0.05)
print(json.dumps([seen[0], seen[-1]]))`,
        { hosts: [`localhost:${port}`], timeout: 60 },
      );
      const id = await attacker.begin(script);
      for (let deaths = 0; deaths < 3; deaths++) {
        // Only one that has the run counts as lost under it. Who asks twice has had a response.
        const before = asked;
        await eventually(() => asked > before + 1);
        await kill(gate());
      }
      const end = await runUntil(attacker.api, id, finished, 60_000);
      expect(end).toMatchObject({ status: 'succeeded', output: [200, 'ConnectionRefusedError'] });
      expect(await attacker.log(id)).toContain('so nothing passes any more');
      const afterwards = await attacker.attempt(`print(json.dumps(get(${port})["status"]))`, {
        hosts: [`localhost:${port}`],
      });
      expect(afterwards).toMatchObject({ status: 'succeeded', output: 200 });
    },
  );
});
