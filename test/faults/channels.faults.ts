import { type ApprovalNotice, Extension, NotificationChannel } from '@gatehouse/extension';
import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const REQUESTS = '/v1/workspace/approval-requests';
/** A channel may take 15 s to tell. */
const BEFORE_IT_ENDS_MS = 14_000;
const HOOK = 'https://chat.example/hooks/T0p-s3cret';

@NotificationChannel('faulty.throws')
class ThrowingChannel {
  attempts: string[] = [];

  async notify({ id }: ApprovalNotice): Promise<void> {
    this.attempts.push(id);
    throw new TypeError(`${HOOK} cannot be fetched`);
  }
}

@NotificationChannel('faulty.hangs')
class HangingChannel {
  begun = 0;
  aborted = 0;

  notify(_: ApprovalNotice, { signal }: { signal: AbortSignal }): Promise<void> {
    this.begun += 1;
    signal.addEventListener('abort', () => (this.aborted += 1));
    return new Promise(() => undefined);
  }
}

@NotificationChannel('faulty.works')
class SoundChannel {
  readonly notices: ApprovalNotice[] = [];

  async notify(notice: ApprovalNotice): Promise<void> {
    this.notices.push(notice);
  }
}

@Extension({ name: 'faulty' })
@Module({ providers: [ThrowingChannel, HangingChannel, SoundChannel] })
class FaultyExtension {}

interface Waiting {
  channel: string;
  attempts: number;
}

/** A channel that throws or hangs delays no approval and no other channel, and what it is to tell is not lost. */
describe('a channel that fails', () => {
  let gatehouse: TestGatehouse;
  const printed: string[] = [];

  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    }
    const env = { GATEHOUSE_LOG_LEVEL: 'warn', GATEHOUSE_LOG_FORMAT: 'text' };
    gatehouse = await startGatehouse({ extensions: [FaultyExtension], env });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    vi.restoreAllMocks();
  });

  const ask = async (name: string): Promise<string> => {
    const token = gatehouse.api.as(gatehouse.workspace.owner.token);
    const request = { action: 'environment.create', input: { name }, reason: 'A test.' };
    const { status, body } = await token.post(REQUESTS, request);
    expect(status).toBe(201);
    // A notice of its own each, however many have been told in this minute.
    await gatehouse.database.query('UPDATE approval_notice_turns SET next_at = now()');
    return body.id as string;
  };
  const waiting = async (id: string): Promise<Waiting[]> => {
    const { rows } = await gatehouse.database.query<Waiting>(
      'SELECT channel, attempts FROM approval_notices WHERE request_ids = ARRAY[$1] ORDER BY channel',
      [id],
    );
    return rows;
  };
  const channelsOf = async (id: string) => (await waiting(id)).map(({ channel }) => channel);
  const told = (id: string) =>
    gatehouse
      .get(SoundChannel)
      .notices.filter(({ requests }) => requests.some((request) => request.id === id));

  it('delays neither the request, nor another channel, nor the decision', async () => {
    const ids: string[] = [];
    // More than a channel has places.
    for (let index = 0; index < 8; index += 1) {
      ids.push(await ask(`place-${index}`));
      await expect.poll(() => told(ids.at(-1)!).length, { timeout: BEFORE_IT_ENDS_MS }).toBe(1);
    }
    const last = ids.at(-1)!;
    const { begun, aborted } = gatehouse.get(HangingChannel);
    expect(begun).toBeGreaterThanOrEqual(4);
    expect(begun - aborted).toBeLessThanOrEqual(4);
    const owner = gatehouse.api.as(gatehouse.workspace.owner);
    expect((await owner.post(`${REQUESTS}/${last}/approve`)).status).toBe(200);
    expect(await waiting(ids[0]!)).toEqual([
      { channel: 'faulty.hangs', attempts: 1 },
      { channel: 'faulty.throws', attempts: 1 },
    ]);
  });

  it('is told again later, as long as somebody is to decide', async () => {
    const id = await ask('again');
    await expect.poll(() => told(id).length).toBe(1);
    const throwing = gatehouse.get(ThrowingChannel);
    /** After so many attempts, also where one of them is not over yet: no further one is begun by this. */
    const due = (after: number) =>
      gatehouse.database.query(
        `UPDATE approval_notices SET due_at = now()
         WHERE channel = 'faulty.throws' AND request_ids = ARRAY[$1] AND attempts = $2`,
        [id, after],
      );
    const { rows } = await gatehouse.database.query<{ id: string }>(
      `SELECT id FROM approval_notices WHERE channel = 'faulty.throws' AND request_ids = ARRAY[$1]`,
      [id],
    );
    const attempts = () => throwing.attempts.filter((notice) => notice === rows[0]!.id).length;
    // That the one before failed, and when it is due again, may be written after this.
    await expect.poll(async () => (await due(1), attempts())).toBe(2);
    await gatehouse.api.as(gatehouse.workspace.owner).post(`${REQUESTS}/${id}/deny`);
    await expect.poll(async () => (await due(2), channelsOf(id))).not.toContain('faulty.throws');
    expect(attempts()).toBe(2);
  });

  it('is given up after its last attempt', async () => {
    const id = await ask('given-up');
    await expect.poll(() => told(id).length).toBe(1);
    const last = () =>
      gatehouse.database.query(
        `UPDATE approval_notices SET attempts = 5, due_at = now() WHERE channel = 'faulty.throws' AND request_ids = ARRAY[$1]`,
        [id],
      );
    await expect.poll(async () => (await last(), channelsOf(id))).toEqual(['faulty.hangs']);
    await expect
      .poll(() => printed.join(''))
      .toMatch(/The channel faulty\.throws gives up the notice ntc_\w+ \(attempt 6 of 6\)/);
  });

  it('is named in the log, and nothing of its messages', () => {
    expect(printed.join('')).toMatch(
      /The channel faulty\.throws could not tell .*TypeError at .*channels\.faults/,
    );
    expect(printed.join('')).not.toContain('s3cret');
  });

  it('is not waited for longer than it may take', async () => {
    await expect.poll(() => gatehouse.get(HangingChannel).aborted).toBeGreaterThanOrEqual(4);
    await expect.poll(() => printed.join('')).toContain('It did not end within 15 s.');
  });
});
