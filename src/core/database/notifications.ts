import { EventEmitter } from 'node:events';

import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';

import { ConnectionOptions } from './connection-options.js';
import { Database } from './database.js';

const CHANNEL = 'gatehouse';
const RECONNECT_MS = 500;

/** Of a notification, the id that it is about; the row as well where this process has changed it. */
type Listener = (id: string, row?: unknown) => void;

/**
 * Tells other processes that something changed, by PostgreSQL's LISTEN and NOTIFY. A notification may be lost (the
 * connection breaks), so it only ever says «look again»: `onGap` listeners are told when that may have happened.
 */
@Injectable()
export class Notifications implements OnApplicationShutdown {
  private readonly logger = new Logger(Notifications.name);
  private readonly topics = new EventEmitter().setMaxListeners(0);
  private readonly gaps = new EventEmitter().setMaxListeners(0);
  private client: pg.Client | null = null;
  private starting: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly database: Database,
  ) {}

  /** Listens for one id of a topic. Returns how to stop. */
  on(topic: string, id: string, listener: Listener): () => void {
    const key = `${topic}:${id}`;
    this.topics.on(key, listener);
    return () => this.topics.off(key, listener);
  }

  /** Listens for every id of a topic. Returns how to stop. */
  onAny(topic: string, listener: Listener): () => void {
    this.topics.on(topic, listener);
    return () => this.topics.off(topic, listener);
  }

  onGap(listener: () => void): () => void {
    this.gaps.on('gap', listener);
    return () => this.gaps.off('gap', listener);
  }

  /**
   * Tells who listens to the id in this process, once a change is committed: at once, and with the row as it is then. The
   * database's notification follows.
   */
  tellHere(topic: string, id: string, row: object): void {
    this.topics.emit(`${topic}:${id}`, id, row);
  }

  /** Sent when the surrounding transaction commits. */
  async notify(topic: string, id: string): Promise<void> {
    await this.database.query('SELECT pg_notify($1, $2)', [CHANNEL, `${topic}:${id}`]);
  }

  /** The same for many in one statement. PostgreSQL takes at most 8,000 bytes of topic and id together. */
  async notifyMany(topic: string, ids: readonly string[]): Promise<void> {
    await this.database.query('SELECT pg_notify($1, id) FROM unnest($2::text[]) AS n(id)', [
      CHANNEL,
      ids.map((id) => `${topic}:${id}`),
    ]);
  }

  /** Resolves once this process hears notifications. */
  listen(): Promise<void> {
    this.starting ??= this.connect();
    return this.starting;
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({ ...this.options.pool, keepAlive: true });
    client.on('notification', ({ payload }) => this.dispatch(payload ?? ''));
    let broken = false;
    const lost = (): void => {
      broken = true;
      this.reconnect(client);
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      if (broken) throw new Error('The connection for notifications broke as soon as it was there');
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    this.client = client;
  }

  private dispatch(payload: string): void {
    const end = payload.indexOf(':');
    const id = payload.slice(end + 1);
    this.topics.emit(payload, id);
    this.topics.emit(payload.slice(0, end), id);
  }

  private reconnect(broken: pg.Client): void {
    if (this.stopped || this.client !== broken) return;
    this.client = null;
    this.logger.warn('The connection for notifications broke; connecting again.');
    const attempt = (): void => {
      if (this.stopped) return;
      this.connect().then(
        () => this.gaps.emit('gap'),
        () => setTimeout(attempt, RECONNECT_MS).unref(),
      );
    };
    attempt();
  }
}
