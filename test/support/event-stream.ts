import { randomInt } from 'node:crypto';

import { expect } from 'vitest';

import type { Json, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl } from './gatehouse.js';

export const STREAM = '/v1/workspace/events/stream';

export interface StreamedEvent {
  event: string;
  id: string;
  /** `{id, type, createdAt, data}`. */
  data: Json;
}

/** An open stream of server-sent events, read as it comes. */
export class EventReader {
  readonly events: StreamedEvent[] = [];
  /** The last id that came, with an event or without one. */
  lastId = '';
  ended = false;
  private readonly abort = new AbortController();

  /** Opens it and waits until it follows: what happens from then on, it shows. */
  static async open(headers: Record<string, string>, at = baseUrl()): Promise<EventReader> {
    const reader = new EventReader();
    const response = await fetch(`${at}${STREAM}`, {
      signal: reader.abort.signal,
      headers: { 'x-forwarded-for': `10.8.${randomInt(256)}.${randomInt(256)}`, ...headers },
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const chunks = response.body!.getReader();
    reader.take(await chunks.read());
    void reader.readOn(chunks);
    return reader;
  }

  types(): string[] {
    return this.events.map(({ event }) => event);
  }

  /** The first event that fits, waited for. */
  async next(fits: (event: StreamedEvent) => boolean, timeout = 60_000): Promise<StreamedEvent> {
    await expect.poll(() => this.events.some(fits), { timeout, interval: 20 }).toBe(true);
    return this.events.find(fits)!;
  }

  async end(timeout = 8_000): Promise<void> {
    await expect.poll(() => this.ended, { timeout, interval: 50 }).toBe(true);
  }

  close(): void {
    this.abort.abort();
  }

  private rest = '';

  private async readOn(chunks: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    try {
      for (let read = await chunks.read(); !read.done; read = await chunks.read()) this.take(read);
    } catch {
      // Closed by the test, or cut off.
    }
    this.ended = true;
  }

  private take({ value }: { value?: Uint8Array }): void {
    const blocks = (this.rest + Buffer.from(value ?? []).toString()).split('\n\n');
    this.rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      );
      if (fields['id'] !== undefined) this.lastId = fields['id'];
      if (fields['event'] === undefined) continue;
      this.events.push({ event: fields['event'], id: fields['id']!, data: JSON.parse(fields['data']!) });
    }
  }
}

export const asPerson = ({ cookie }: TestPerson, { slug }: TestWorkspace): Record<string, string> => ({
  cookie,
  'x-workspace': slug,
});

export const asBearer = (token: string, workspace?: TestWorkspace): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(workspace && { 'x-workspace': workspace.slug }),
});
