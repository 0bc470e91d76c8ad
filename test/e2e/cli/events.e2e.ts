import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../../libs/testing/index.js';
import { CTRL_C, CommandLine } from '../../support/command-line.js';
import { client, newWorkspace } from '../../support/gatehouse.js';
import { python } from '../../support/scripts.js';

let installed: CommandLine;
let commandLine: CommandLine;
let workspace: TestWorkspace;
let api: Client;
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
let status = 204;
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.writeHead(status).end();
  });
});
const address = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  commandLine = installed.as(workspace.owner.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});
afterAll(async () => {
  receiver.close();
  await installed?.remove();
});

const verified = ({ headers, body }: (typeof received)[number], secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string };

describe('listen', () => {
  it('sends what happens to an address, signed, and shows what came back', async () => {
    const { slug } = await python(api, 'print(1)');
    const terminal = commandLine.terminal(['listen', '--forward', address(), '--event', 'run.succeeded']);
    await terminal.shows('Listening.');
    const [, secret] = /signed with (whsec_\S+)/.exec(terminal.text)!;
    await expect
      .poll(async () => {
        await api.post(`/v1/scripts/${slug}/runs`, {});
        return received.length;
      })
      .toBeGreaterThan(0);
    expect(verified(received[0]!, secret!).type).toBe('run.succeeded');
    await terminal.shows(/204 run\.succeeded evt_/);
    terminal.type(CTRL_C);
    expect(await terminal.ended, terminal.text).toBe(0);
    expect(terminal.text).not.toContain('run.started');
  });

  it('prints events as lines of JSON', async () => {
    const { slug } = await python(api, 'print(1)');
    const { child, ended, stderr } = commandLine.start(['listen']);
    await expect.poll(stderr).toContain('Listening.');
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await expect
      .poll(async () => {
        await api.post(`/v1/scripts/${slug}/runs`, {});
        return printed;
      })
      .toContain('run.succeeded');
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string });
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });
});

describe('listen --resend', () => {
  it('sends what has happened again, signed anew', async () => {
    const listening = commandLine.start(['listen', '--event', 'script.created']);
    await expect.poll(listening.stderr).toContain('Listening.');
    let printed = '';
    listening.child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(async () => (await python(api, 'print(1)')) && printed).toContain('script.created');
    listening.child.kill('SIGTERM');
    await listening.ended;
    const event = JSON.parse(printed.split('\n')[0]!) as { id: string };
    received.length = 0;
    status = 204;
    const again = await commandLine.run(['listen', '--forward', address(), '--resend', event.id]);
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`204 script.created ${event.id}`),
    });
    const [, secret] = /signed with (whsec_\S+)/.exec(again.stderr)!;
    expect(received.map((delivery) => verified(delivery, secret!))).toEqual([event]);
    const known = commandLine.with({ GATEHOUSE_WEBHOOK_SECRET: secret! });
    status = 503;
    expect(await known.run(['listen', '--forward', address(), '--resend', event.id])).toEqual({
      code: 1,
      stdout: '',
      stderr: `503 script.created ${event.id}\n`,
    });
    expect(verified(received[1]!, secret!)).toEqual(event);
    status = 204;
  });

  it('says that there is no such event, or where it is to go', async () => {
    const id = 'evt_01jd0000000000000000000000';
    const gone = await commandLine.run(['listen', '--forward', address(), '--resend', id]);
    expect(gone).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('more than an hour or 1,000 events ago'),
    });
    expect(await commandLine.run(['listen', '--resend', id])).toMatchObject({ code: 2 });
    const odd = ['listen', '--forward', address(), '--resend', 'evt_1'];
    expect(await commandLine.run(odd)).toMatchObject({ code: 2 });
    const secret = commandLine.with({ GATEHOUSE_WEBHOOK_SECRET: 'not-one' });
    expect(await secret.run(['listen', '--forward', address()])).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining('not-one'),
    });
  });
});

describe('trigger', () => {
  const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  it('sends an example of an event', async () => {
    const signing = commandLine.with({ GATEHOUSE_WEBHOOK_SECRET: SECRET });
    const args = ['trigger', 'run.failed', '--forward', address()];
    expect(await signing.run(args)).toMatchObject({ code: 0, stderr: '204 run.failed\n' });
    expect(verified(received.at(-1)!, SECRET)).toMatchObject({
      type: 'run.failed',
      data: { status: 'failed' },
    });
    status = 500;
    expect(await signing.run(args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('500 run.failed'),
    });
    expect(await commandLine.run(args)).toMatchObject({ code: 2 });
    expect(await signing.run(['trigger', 'run.odd', '--forward', address()])).toMatchObject({ code: 2 });
  });

  it('asks a trigger whether it would fire', async () => {
    const { slug } = await python(api, 'print(1)');
    const input = { name: 'after', eventType: 'run.failed', filter: { status: 'failed' } };
    const { body } = await api.post(`/v1/scripts/${slug}/triggers`, input);
    const fires = await commandLine.run(['trigger', 'run.failed', '--test', body.id, '--json', 'fires']);
    expect(fires).toMatchObject({ code: 0, stdout: '{"fires":true}\n' });
    const not = await commandLine.run(['trigger', 'ping', '--test', body.id]);
    expect(not.stdout).toMatch(/Fires +no/);
  });
});
