import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { python as pythonScript, type TestScript } from '../support/scripts.js';
import { cutting, flakyService, page, refusing, responding } from './support/flaky-service.js';

const exec = promisify(execFile);
const PACKAGE = join('libs', 'python', 'gatehouse_client');

let directory: string;
const inVenv = (program: string) => join(directory, 'venv', 'bin', program);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-python-'));
  await exec('/usr/bin/python3', ['-m', 'venv', join(directory, 'venv')]);
  const packages = ['httpx==0.28.1', 'httpx-sse==0.4.3', 'mypy==2.4.1'];
  const requirements = ['-r', join('libs', 'python', 'requirements.txt')];
  await exec(inVenv('pip'), ['install', '-q', '--disable-pip-version-check', ...packages, ...requirements]);
}, 600_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

/** What a program prints, as JSON. It has `gatehouse`, and is written with `await`, which is left out where nothing waits. */
async function printed(
  program: string,
  url: string,
  workspace?: TestWorkspace,
  awaits = true,
): Promise<Json> {
  const text = `import asyncio, json, os
from gatehouse_client import AsyncGatehouse, GatehouseError

async def main():
    async with AsyncGatehouse(os.environ["URL"], os.environ["TOKEN"], workspace=os.environ.get("WORKSPACE")) as gatehouse:
${program.replaceAll(/^/gm, '        ')}

asyncio.run(main())
`;
  const sync = text
    .replaceAll(/\b(?:await|async) /g, '')
    .replaceAll('AsyncGatehouse', 'Gatehouse')
    .replace('asyncio.run(main())', 'main()');
  const path = join(directory, 'program.py');
  await writeFile(path, awaits ? text : sync);
  const { stdout } = await exec(inVenv('python'), [path], {
    env: {
      PYTHONPATH: join('libs', 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      URL: url,
      TOKEN: workspace?.owner.token ?? 'none',
      ...(workspace && { WORKSPACE: workspace.slug }),
    },
  });
  return JSON.parse(stdout);
}

describe('what is generated', () => {
  it('is that of this interface, and of the client that awaits', async () => {
    const fresh = join(directory, 'gatehouse_client');
    await exec('mkdir', ['-p', fresh]);
    await exec(inVenv('python'), [join('libs', 'python', 'generate.py'), fresh]);
    for (const name of ['models.py', ...(await readdir(join(fresh, '_sync'))).map((each) => `_sync/${each}`)])
      expect([name, await readFile(join(fresh, name), 'utf8')]).toEqual([
        name,
        await readFile(join(PACKAGE, name), 'utf8'),
      ]);
  });

  it('satisfies a strict type checker', async () => {
    const args = ['--strict', '--no-warn-return-any', `--cache-dir=${join(directory, 'mypy')}`, PACKAGE];
    expect((await exec(inVenv('mypy'), args)).stdout).toMatch(/^Success/);
  }, 120_000);
});

describe.each([
  ['AsyncGatehouse', true],
  ['Gatehouse', false],
])('%s', (_, awaits) => {
  let workspace: TestWorkspace;
  let script: TestScript;
  beforeAll(async () => {
    workspace = await newWorkspace();
    script = await pythonScript(
      client({ token: workspace.owner.token, workspace: workspace.slug }),
      `import json, os, sys
inputs = json.load(open(os.environ["GATEHOUSE_INPUTS"]))
print("began", file=sys.stderr, flush=True)
if inputs.get("fail"): sys.exit("no luck")
open("/outputs/said.txt", "w").write(open(inputs["file"]).read().upper() if inputs.get("file") else "nothing")
print(json.dumps({"had": sorted(inputs)}))`,
      {
        command: 'python3 main.py',
        timeout: 60,
        inputSchema: {
          type: 'object',
          properties: { fail: { type: 'boolean' }, file: { type: 'string', format: 'file' } },
        },
      },
    );
  });
  const prints = (program: string) => printed(program, baseUrl(), workspace, awaits);
  const against = async (program: string, ...responses: RequestListener[]) => {
    const service = await flakyService(...responses);
    try {
      return { said: await printed(program, service.baseUrl, undefined, awaits), requests: service.requests };
    } finally {
      await service.close();
    }
  };

  it('runs a script with a file, follows its log and saves what it wrote', async () => {
    expect(
      await prints(`file = await gatehouse.files.upload(b"gruss", name="in.txt")
run = await gatehouse.run("${script.slug}", {"file": file["id"]})
lines = [json.loads(data)["line"] async for kind, data in gatehouse.runs.follow(run["id"]) if kind == "log"]
out = [each for each in run["files"] if each["direction"] == "out"][0]
await gatehouse.files.save(out["id"], ${JSON.stringify(join(directory, 'said.txt'))})
await gatehouse.runs.save_log(run["id"], ${JSON.stringify(join(directory, 'log.txt'))})
log = await gatehouse.runs.log(run["id"], times=True)
read = [open(path).read() for path in ${JSON.stringify([join(directory, 'said.txt'), join(directory, 'log.txt')])}]
print(json.dumps([run["status"], run["output"], lines, read, file["type"], log["times"]]))`),
    ).toEqual([
      ...['succeeded', { had: ['file'] }, ['began'], ['GRUSS', 'began\n'], 'text/plain'],
      [expect.stringMatching(/^\d{4}-.*Z$/)],
    ]);
  });

  it('tells of a run that fails, and of what is refused', async () => {
    expect(
      await prints(`run = await gatehouse.run("${script.slug}", {"fail": True})
try:
    await gatehouse.run("${script.slug}", {"fail": 7})
except GatehouseError as error:
    refused = error
print(json.dumps([run["status"], run["error"], refused.status, refused.code, refused.details[0]["path"], bool(refused.request_id)]))`),
    ).toEqual(['failed', 'exit code 1: no luck', 400, 'invalid_request', 'inputs.fail', true]);
  });

  it('cancels and runs again all runs that fit', async () => {
    expect(
      await prints(`which = {"script": "${script.slug}", "limit": 2}
run = await gatehouse.runs.start("${script.slug}")
found = await gatehouse.runs.count_to_rerun(**which)
operation = await gatehouse.runs.wait_for_operation((await gatehouse.runs.rerun_many(**which))["id"])
ended = await gatehouse.runs.wait_for_operation((await gatehouse.runs.cancel_many(script="none"))["id"])
kinds = [each["kind"] async for each in gatehouse.runs.operations()]
print(json.dumps([found["matched"] == operation["done"], operation["status"], ended["matched"], kinds]))`),
    ).toEqual([true, 'completed', 0, ['cancel', 'rerun']]);
  });

  it('saves the runs that fit as a file', async () => {
    const path = join(directory, `runs-${String(awaits)}.csv`);
    await prints(`await gatehouse.runs.start("${script.slug}")
await gatehouse.runs.export(${JSON.stringify(path)}, format="csv", script="${script.slug}")
print("null")`);
    const [columns, newest] = (await readFile(path, 'utf8')).split('\r\n');
    expect([columns!.split(',')[1], newest!.split(',')[1]]).toEqual(['"script.slug"', `"${script.slug}"`]);
  });

  it('goes through all pages of a list, and changes what it has made', async () => {
    expect(
      await prints(`for name in "abcde":
    await gatehouse.teams.create({"name": name})
names = [team["name"] async for team in gatehouse.teams.list(limit=2)]
first = [team async for team in gatehouse.teams.list()][0]
changed = await gatehouse.teams.update(first["id"], {"name": "f"})
await gatehouse.teams.delete(first["id"])
schedule = await gatehouse.schedules.create("${script.slug}", {"name": "nightly", "cron": "0 3 * * *"})
await gatehouse.secrets.set("KEY_${awaits}", {"value": "a-value", "hosts": ["api.example.com"]})
print(json.dumps([names[:5], changed["name"], schedule["cron"], [each["name"] async for each in gatehouse.secrets.list()]]))`),
    ).toEqual([['e', 'd', 'c', 'b', 'a'], 'f', '0 3 * * *', [`KEY_${awaits ? 'true' : 'false'}`]]);
  });

  it('makes an alert and a queue', async () => {
    expect(
      await prints(`destination = {"channel": "slack", "url": "https://hooks.slack.com/services/T0/B0/x"}
alert = await gatehouse.alerts.create({"name": "failures", "on": ["failed"], "destination": destination})
alert = await gatehouse.alerts.update(alert["id"], {"enabled": False})
told = [message["id"] async for message in gatehouse.alerts.messages(alert["id"])]
await gatehouse.alerts.delete(alert["id"])
queue = await gatehouse.queues.create({"name": "exports", "limit": 2})
queue = await gatehouse.queues.update(queue["name"], {"paused": True})
names = [each["name"] async for each in gatehouse.queues.list()]
await gatehouse.queues.delete(queue["name"])
print(json.dumps([alert["enabled"], told, queue["paused"], names]))`),
    ).toEqual([false, [], true, ['exports']]);
  });

  it('settles an error', async () => {
    const api = client({ token: workspace.owner.token, workspace: workspace.slug });
    await prints(`print(json.dumps(await gatehouse.run("${script.slug}", {"fail": True})))`);
    // Errors are counted beside requests.
    await expect
      .poll(async () => (await api.get(`/v1/errors?script=${script.slug}`)).body.items)
      .toHaveLength(1);
    expect(
      await prints(`error = [each async for each in gatehouse.errors.list(script="${script.slug}")][0]
ignored = await gatehouse.errors.ignore(error["id"], until="2100-01-01T00:00:00Z")
opened = await gatehouse.errors.reopen(error["id"])
resolved = await gatehouse.errors.resolve(error["id"])
again = await gatehouse.errors.get(error["id"])
print(json.dumps([each["status"] for each in (ignored, opened, resolved, again)]))`),
    ).toEqual(['ignored', 'open', 'resolved', 'resolved']);
  });

  it('sends a write again under the same key where it failed in passing', async () => {
    const going = refusing(409, 'idempotency_in_progress', { 'retry-after': '0' });
    const responses = [
      cutting,
      refusing(503, 'unavailable', { 'retry-after': '0' }),
      going,
      responding(201, {}),
    ];
    const { requests } = await against(
      'print(json.dumps(await gatehouse.request("POST", "/v1/scripts", {})))',
      ...responses,
    );
    expect(requests).toHaveLength(4);
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it.each([
    ['a refusal', refusing(400, 'invalid_request'), 400],
    ['a wait that is longer than a person has', refusing(429, 'rate_limited', { 'retry-after': '600' }), 429],
    [
      'a redirect, which would take the token elsewhere',
      responding(302, {}, { location: 'http://127.0.0.1:9/' }),
      302,
    ],
    ['a page of a proxy', page(200), 200],
  ])('does not send again after %s', async (__, response, status) => {
    const program = `try:
    await gatehouse.request("GET", "/v1/workspace")
except GatehouseError as error:
    print(json.dumps(error.status))`;
    const { said, requests } = await against(program, response);
    expect([said, requests.length]).toEqual([status, 1]);
  });

  it('opens a stream again where it broke', async () => {
    const piece =
      (text: string): RequestListener =>
      (request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(text, () => request.socket.destroy());
      };
    const program = `seen = []
async for event in gatehouse.events():
    seen.append(event.data)
    if len(seen) == 2: break
print(json.dumps(seen))`;
    const { said, requests } = await against(
      program,
      piece('id: 7\nevent: ping\ndata: one\n\n'),
      refusing(503, 'unavailable'),
      piece('id: 8\nevent: ping\ndata: two\n\n'),
    );
    expect(said).toEqual(['one', 'two']);
    expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7', '7']);
  });
});

describe('verify_webhook', () => {
  const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const BODY = '{"id":"evt_1","type":"ping","data":{"message":"Grüße"}}';
  const verified = async (body: string, at: Date, secret = SECRET) => {
    const headers = {
      'Webhook-Id': 'msg_1',
      'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
      'Webhook-Signature': new Webhook(SECRET).sign('msg_1', at, BODY),
    };
    const program = `import json, sys
from gatehouse_client import WebhookVerificationError, verify_webhook
body, headers, secret = json.load(sys.stdin)
try:
    print(verify_webhook(body.encode(), headers, secret)["data"]["message"])
except WebhookVerificationError as error:
    print(error)`;
    const child = exec(inVenv('python'), ['-c', program], {
      env: { PYTHONPATH: join('libs', 'python'), PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' },
    });
    child.child.stdin!.end(JSON.stringify([body, headers, secret]));
    return (await child).stdout.trim();
  };

  it('gives the event of a delivery, and refuses another body, time or secret', async () => {
    const now = new Date();
    expect(await verified(BODY, now)).toBe('Grüße');
    expect(await verified(BODY.replace('ping', 'pong'), now)).toMatch(/^No signature fits/);
    expect(await verified(BODY, now, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')).toMatch(/^No signature fits/);
    expect(await verified(BODY, new Date(now.getTime() - 3_600_000))).toMatch(/s away from this machine/);
  });
});
