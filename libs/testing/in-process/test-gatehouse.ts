import { setTimeout as sleep } from 'node:timers/promises';

import type { INestApplication, Type } from '@nestjs/common';

import { eventDataCheck } from '../../../src/core/outbox/event-catalogue.js';
import { EventTypes } from '../../../src/core/outbox/event-types.js';
import { Outbox } from '../../../src/core/outbox/outbox.js';
import { Loops } from '../../../src/core/work/loops.js';
import { type Client, createClient } from '../client.js';
import type { TestPerson, TestWorkspace } from '../seed.js';
import { PATIENCE_MS } from '../patience.js';
import type { ServiceDatabase } from '../service-database.js';
import { putDateBack } from './moved-date.js';
import { Receiver } from './receiver.js';
import { TestClock } from './test-clock.js';

/** An event that the service has told of. */
export interface ToldEvent {
  id: string;
  workspaceId: string;
  environmentId: string | null;
  type: string;
  data: Record<string, unknown>;
}

/** A client without a credential, and those of everybody else. */
export interface TestApi extends Client {
  /**
   * As somebody in the workspace: a person in the app, or whoever has a token (a personal access token, an API key, an
   * app's).
   *
   * @param workspace by default the one that the service was started with
   */
  as(who: TestPerson | string, workspace?: Pick<TestWorkspace, 'slug'>): Client;
}

/** A service that runs in this process. */
export class TestGatehouse {
  readonly api: TestApi;
  /** Moves the service to a later moment, for schedules and whatever expires. */
  readonly clock: TestClock;
  private readonly receivers: Receiver[] = [];

  /** @internal */
  constructor(
    readonly app: INestApplication,
    readonly baseUrl: string,
    /** With its owner; `person` and `apiKey` make everybody else. */
    readonly workspace: TestWorkspace,
    /** The service's database, for what no route shows. */
    readonly database: ServiceDatabase,
    private readonly end: () => Promise<void>,
  ) {
    const as: TestApi['as'] = (who, { slug } = workspace) =>
      createClient({
        baseUrl,
        workspace: slug,
        ...(typeof who === 'string' ? { token: who } : { cookie: who.cookie }),
      });
    this.clock = new TestClock(database, app.get(Loops));
    this.api = { ...createClient({ baseUrl }), as };
  }

  /** The instance of a provider, of the extension or of Gatehouse. */
  get<T>(provider: Type<T>): T {
    return this.app.get(provider, { strict: false });
  }

  /**
   * Has a loop pass now instead of waiting for its clock. Resolves once that pass is over, failed or not.
   *
   * @param name class and method, such as `Reminders.send`
   */
  passNow(name: string): Promise<void> {
    return this.app.get(Loops).passNow(name);
  }

  /**
   * The first event of that type, once there is one: what was told before counts as well.
   *
   * @param fits whether it is the one that is meant
   * @throws Error after a minute, or `timeoutMs`, with the types of those that there are
   */
  async waitFor(
    type: string,
    fits: (event: ToldEvent) => boolean = () => true,
    timeoutMs = PATIENCE_MS,
  ): Promise<ToldEvent> {
    for (const deadline = performance.now() + timeoutMs; ; await sleep(20)) {
      const events = await this.events();
      const found = events.find((event) => event.type === type && fits(event));
      if (found) return found;
      if (performance.now() < deadline) continue;
      const types = [...new Set(events.map((event) => event.type))].join(', ') || 'none';
      throw new Error(`No such event ${type} within ${timeoutMs} ms. There are: ${types}.`);
    }
  }

  /** Every event that was told, in order. */
  async events(): Promise<ToldEvent[]> {
    return (await this.database.query<ToldEvent>(EVENTS)).rows;
  }

  /**
   * Has the service tell of an event in the workspace, as if it had happened.
   *
   * @param type any type that there is
   * @param data what differs from the example of the type
   * @throws Error where there is no such type, or the data do not fit its schema
   */
  async tell(type: string, data: Record<string, unknown> = {}): Promise<ToldEvent> {
    const definition = this.get(EventTypes).find(type);
    if (!definition) throw new Error(`There is no type of event "${type}".`);
    const given = { ...definition.example, ...data };
    const problem = eventDataCheck(definition.schema)(given);
    if (problem !== null) throw new Error(`Data of the event "${type}" do not fit: ${problem}.`);
    const { id: workspaceId, environmentId: environment } = this.workspace;
    const environmentId = definition.environmentScoped ? environment : null;
    const event = { workspaceId, environmentId, type, data: given };
    return { id: await this.get(Outbox).write(event), ...event };
  }

  /**
   * Resolves once handlers of events are done with all that was told so far, and with what they told meanwhile.
   *
   * @throws Error where a handler fails, and after a minute, or `timeoutMs`
   */
  async eventsHandled(timeoutMs = PATIENCE_MS): Promise<void> {
    for (const deadline = performance.now() + timeoutMs; ; await sleep(20)) {
      const { rows } = await this.database.query<{ left: number; failed: string | null }>(NOT_HANDLED);
      const { left, failed } = rows[0]!;
      if (failed !== null) throw new Error(`The handler ${failed}; the service has printed why.`);
      if (left === 0) return;
      if (performance.now() < deadline) continue;
      throw new Error(`Handlers are not done with ${left} events within ${timeoutMs} ms.`);
    }
  }

  /**
   * A webhook endpoint of the workspace that collects what is delivered to it. It takes `runsScripts`, whose workers send
   * deliveries, and `GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1'`. It ends with the service.
   *
   * @param eventTypes by default every event
   */
  async receiver(eventTypes?: readonly string[]): Promise<Receiver> {
    const receiver = await Receiver.start(this.api.as(this.workspace.owner.token), eventTypes);
    this.receivers.push(receiver);
    return receiver;
  }

  /** Ends the service in order, and drops its database. */
  async stop(): Promise<void> {
    try {
      await this.end();
    } finally {
      putDateBack(this.clock);
    }
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

const EVENTS = `
  SELECT id, workspace_id AS "workspaceId", environment_id AS "environmentId", type, data FROM events ORDER BY id`;

const NOT_HANDLED = `
  SELECT ((SELECT count(*) FROM events WHERE dispatched_at IS NULL)
      + (SELECT count(*) FROM event_handlings WHERE set_aside_at IS NULL))::int AS left,
    (SELECT handler || ' failed at the event ' || event_id FROM event_handlings
      WHERE set_aside_at IS NULL AND worker_id IS NULL AND attempts > 0 LIMIT 1) AS failed`;
