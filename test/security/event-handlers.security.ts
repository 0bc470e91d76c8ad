import {
  DefinesEventTypes,
  EventHandler,
  type EventHandlerProvider,
  Events,
  Extension,
  type HandledEvent,
} from '@gatehouse/extension';
import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const SECRET = 'https://chat.example/hooks/T0p-s3cret';
const EMPTY = { type: 'object', properties: {} };
const kind = (name: string) => ({
  type: `greedy.${name}`,
  description: 'It was told.',
  environmentScoped: false,
  schema: EMPTY,
  example: {},
});

@DefinesEventTypes()
class GreedyEvents {
  readonly eventTypes = ['line', 'tree', 'flood', 'bad', 'stuck', 'drop'].map(kind);
}

/** Tells of an event so and so many times, by default its own. */
abstract class Echo implements EventHandlerProvider {
  abstract readonly handles: readonly string[];
  calls = 0;

  constructor(private readonly events: Events) {}

  async handle({ type: own, workspace: { id: workspaceId } }: HandledEvent): Promise<void> {
    this.calls += 1;
    for (let count = 0; count < this.times; count++) {
      await this.events.tell({ workspaceId, environmentId: null, type: this.type ?? own, data: {} });
    }
  }

  protected abstract readonly times: number;
  /** What it tells, where that is another. */
  protected readonly type: string | undefined;
}

@EventHandler('greedy.line')
class Line extends Echo {
  readonly handles = ['greedy.line'];
  protected readonly times = 1;

  constructor(events: Events) {
    super(events);
  }
}

@EventHandler('greedy.tree')
class Tree extends Echo {
  readonly handles = ['greedy.tree'];
  protected readonly times = 3;

  constructor(events: Events) {
    super(events);
  }
}

@EventHandler('greedy.flood')
class Flood extends Echo {
  readonly handles = ['greedy.flood'];
  protected readonly times = 101;
  protected override readonly type = 'greedy.drop';

  constructor(events: Events) {
    super(events);
  }
}

@EventHandler('greedy.throws')
class Throws implements EventHandlerProvider {
  readonly handles = ['greedy.bad'];
  calls = 0;

  async handle(): Promise<void> {
    this.calls += 1;
    throw new TypeError(`${SECRET} cannot be fetched`);
  }
}

@EventHandler('greedy.hangs')
class Hangs implements EventHandlerProvider {
  readonly handles = ['greedy.stuck'];
  calls = 0;
  aborted = 0;

  handle(_: HandledEvent, { signal }: { signal: AbortSignal }): Promise<void> {
    this.calls += 1;
    signal.addEventListener('abort', () => (this.aborted += 1));
    return new Promise(() => undefined);
  }
}

@EventHandler('greedy.sound')
class Sound implements EventHandlerProvider {
  readonly handles = ['greedy.bad', 'greedy.stuck'];
  readonly ids: string[] = [];

  async handle({ id }: HandledEvent): Promise<void> {
    this.ids.push(id);
  }
}

@Extension({ name: 'greedy' })
@Module({ providers: [GreedyEvents, Line, Tree, Flood, Throws, Hangs, Sound] })
class GreedyExtension {}

/** Somebody else's handlers, at their worst: what they do costs them their events, and nobody else anything. */
describe('a handler of events that', () => {
  let gatehouse: TestGatehouse;
  const printed: string[] = [];

  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    }
    const env = { GATEHOUSE_LOG_LEVEL: 'warn', GATEHOUSE_LOG_FORMAT: 'text' };
    gatehouse = await startGatehouse({ extensions: [GreedyExtension], env });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    vi.restoreAllMocks();
  });

  const count = async (sql: string, ...values: unknown[]): Promise<number> =>
    (await gatehouse.database.query(sql, values)).rows.length;
  const toldOf = (type: string) => count('SELECT FROM events WHERE type = $1', type);
  /** As if the time until the next attempt were over. */
  const due = () => gatehouse.database.query('UPDATE event_handlings SET due_at = now()');

  it('tells its own event again for ever ends after eight calls', async () => {
    await gatehouse.tell('greedy.line');
    await gatehouse.eventsHandled();
    expect(gatehouse.get(Line).calls).toBe(8);
    expect(await toldOf('greedy.line')).toBe(9);
    // It is said once it is written.
    await expect
      .poll(() => printed.join(''))
      .toMatch(/set aside for the handler greedy\.line: a chain of triggers and handlers stops after 8/);
  });

  it(
    'tells more each time ends after 200 calls from one first event',
    { timeout: 150_000, tags: 'slow' },
    async () => {
      await gatehouse.tell('greedy.tree');
      await gatehouse.eventsHandled(240_000);
      // The first one is no part of what handlers told.
      expect(gatehouse.get(Tree).calls).toBe(201);
      expect(await toldOf('greedy.tree')).toBe(1 + 3 * 201);
      await expect
        .poll(() => printed.join(''))
        .toContain('at most 200 times for what they tell from one first event');
      // The count is that chain's: the next one has its own.
      await gatehouse.tell('greedy.tree');
      await gatehouse.eventsHandled(60_000);
      expect(gatehouse.get(Tree).calls).toBe(402);
    },
  );

  it('tells of too many at once fails, each time', async () => {
    const { id } = await gatehouse.tell('greedy.flood');
    const flood = gatehouse.get(Flood);
    for (const calls of [1, 2, 3]) {
      await expect.poll(async () => (await due(), flood.calls)).toBe(calls);
    }
    const aside = () =>
      count(`SELECT FROM event_handlings WHERE event_id = $1 AND set_aside_at IS NOT NULL`, id);
    await expect.poll(aside).toBe(1);
    expect(flood.calls).toBe(3);
    expect(await toldOf('greedy.drop')).toBe(3 * 100);
  }, 300_000);

  it('always throws is tried three times, and nothing of its messages is in the log', async () => {
    const { id } = await gatehouse.tell('greedy.bad');
    await expect(gatehouse.eventsHandled()).rejects.toThrow('The handler greedy.throws failed at the event');
    // Each handler has its own turn.
    await expect.poll(() => gatehouse.get(Sound).ids).toContain(id);
    const throwing = gatehouse.get(Throws);
    for (const calls of [2, 3]) {
      // That the one before failed may be written after this.
      await expect.poll(async () => (await due(), throwing.calls)).toBe(calls);
    }
    await gatehouse.eventsHandled();
    await due();
    await gatehouse.passNow('EventHandlingDispatcher.take');
    expect(throwing.calls).toBe(3);
    const metrics = async () => (await gatehouse.api.get('/metrics')).text;
    await expect
      .poll(metrics)
      .toContain('gatehouse_event_handlings_total{handler="greedy.throws",outcome="set_aside"} 1');
    const text = printed.join('');
    expect(text).toMatch(/The handler greedy\.throws failed at the event evt_\w+ \(attempt 1 of 3/);
    expect(text).toMatch(/set aside for the handler greedy\.throws: TypeError at /);
    expect(text).not.toContain('s3cret');
  });

  it(
    'hangs holds up its own events alone, a few at a time, and is told when its time is up',
    { tags: 'slow' },
    async () => {
      const told: string[] = [];
      // More than it has places.
      for (let index = 0; index < 8; index += 1) told.push((await gatehouse.tell('greedy.stuck')).id);
      const { ids } = gatehouse.get(Sound);
      // Before the 15 s of those that hang are up.
      await expect.poll(() => told.filter((id) => !ids.includes(id)), { timeout: 14_000 }).toEqual([]);
      const hanging = gatehouse.get(Hangs);
      await expect.poll(() => hanging.calls).toBe(4);
      expect(await count('SELECT FROM events WHERE dispatched_at IS NULL')).toBe(0);
      await expect.poll(() => hanging.aborted).toBe(4);
      await expect.poll(() => printed.join('')).toContain('It did not end within 15 s.');
      // Its code may go on for ever: what is in progress here stays as little.
      await due();
      await gatehouse.passNow('EventDispatcher.dispatch');
      expect(hanging.calls).toBe(4);
    },
  );
});
