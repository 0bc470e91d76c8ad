import { AsyncLocalStorage } from 'node:async_hooks';

import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';

import type { NamedStatement, PreparingClient } from '../../../libs/prepared-pg/index.js';
import { AmbientDataSource } from './ambient-data-source.js';
import { isDeadlock } from './database-errors.js';
import { type TrailingInsert, TrailingRows } from './trailing-rows.js';

const DEADLOCKS_IN_A_ROW = 3;
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
const LOCK_SHARED = 'SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))';
const TRY_LOCK = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS ours';

/** What `lock` and `tryLock` lock, for who has a connection of their own. */
export const keyOfLock = (name: string): string => `gatehouse ${name}`;

interface Transaction {
  client: PreparingClient;
  afterCommit: (() => void)[];
  trailing: TrailingRows;
  savepoints: number;
  /** Its connection may be another's by now. */
  ended: boolean;
}

/** What a statement came to. */
export interface Affected<T> {
  /** What it selects or returns. */
  rows: T[];
  /** How many rows it selected or changed. */
  count: number;
}

/**
 * The one way to PostgreSQL. Inside `transaction` every query is part of it, also one made deep down in a service or by an
 * injected TypeORM repository; a transaction within a transaction joins the outer one. Never wait for the outside world
 * inside of one.
 */
@Injectable()
export class Database {
  private readonly scope = new AsyncLocalStorage<Transaction>();
  private readonly statementNames = new Map<string, string>();

  /** @internal */
  constructor(@Inject(DataSource) private readonly source: AmbientDataSource) {
    source.current = () => this.client;
  }

  /** Rows of one statement. `sql` is a constant text with $1…: it is prepared once per connection and reused. */
  async query<T>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.execute<T>(sql, parameters)).rows;
  }

  /** As `query`, the first row; null: there is none. */
  async one<T>(sql: string, parameters: unknown[] = []): Promise<T | null> {
    return (await this.execute<T>(sql, parameters)).rows[0] ?? null;
  }

  /** As `query`, and how many rows there were. @throws the driver's error, where the database refuses it */
  async execute<T>(sql: string, parameters: unknown[] = []): Promise<Affected<T>> {
    try {
      const result = await this.connection.query(this.named(sql, parameters));
      return { rows: result.rows as T[], count: result.rowCount ?? 0 };
    } catch (error) {
      throw fromHere(error);
    }
  }

  /** For a statement whose text is built for the occasion, such as a list with filters: not kept as prepared. */
  async queryOnce<T>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.connection.query({ text: sql, values: parameters })).rows as T[];
  }

  /**
   * Rows that nothing reads before the end of the transaction: they are written right before the commit, together with those
   * of other tables. Outside of a transaction they are written at once.
   *
   * @internal
   */
  async insertLast(insert: TrailingInsert, rows: readonly object[]): Promise<void> {
    const transaction = this.scope.getStore();
    const trailing = transaction?.trailing ?? new TrailingRows();
    trailing.add(insert, rows);
    if (!transaction) await this.write(trailing);
  }

  /** `work` is done again where it was chosen to end a deadlock, so it changes nothing but the database. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.scope.getStore()) return work();
    for (let again = 0; ; again++) {
      try {
        return await this.transactionOnce(work);
      } catch (error) {
        if (again === DEADLOCKS_IN_A_ROW || !isDeadlock(error)) throw error;
      }
    }
  }

  /**
   * Within a transaction: what `work` does is undone alone when it throws, and the transaction can go on. What it asked to
   * follow the commit is forgotten with it.
   *
   * @throws what `work` throws; Error outside of a transaction
   */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const transaction = this.scope.getStore();
    if (!transaction) throw new Error('A savepoint needs a transaction.');
    const follows = transaction.afterCommit.length;
    const name = `p${++transaction.savepoints}`;
    await this.write(transaction.trailing);
    await transaction.client.command(`SAVEPOINT ${name}`);
    try {
      const result = await work();
      await this.write(transaction.trailing);
      await transaction.client.command(`RELEASE SAVEPOINT ${name}`);
      return result;
    } catch (error) {
      await transaction.client.command(`ROLLBACK TO SAVEPOINT ${name}`);
      transaction.afterCommit.length = follows;
      transaction.trailing.forget();
      throw error;
    }
  }

  /**
   * Waits for the lock of this name, which lasts until the surrounding transaction ends: for what has no row of its own to lock.
   *
   * @internal
   */
  async lock(name: string): Promise<void> {
    await this.execute(LOCK, [keyOfLock(name)]);
  }

  /**
   * Waits for whoever has the lock of this name, and shares it with others who do the same, until the transaction ends.
   *
   * @internal
   */
  async lockShared(name: string): Promise<void> {
    await this.execute(LOCK_SHARED, [keyOfLock(name)]);
  }

  /**
   * False: another process has the lock of this name, which lasts until the surrounding transaction ends.
   *
   * @internal
   */
  async tryLock(name: string): Promise<boolean> {
    const lock = await this.one<{ ours: boolean }>(TRY_LOCK, [keyOfLock(name)]);
    return lock!.ours;
  }

  /** Runs `follow` once the surrounding transaction is committed, or at once where there is none. Not if it rolls back. */
  afterCommit(follow: () => void): void {
    const transaction = this.scope.getStore();
    if (transaction) transaction.afterCommit.push(follow);
    else follow();
  }

  /** Whether the caller is inside of a transaction. */
  get inTransaction(): boolean {
    return this.scope.getStore() !== undefined;
  }

  /**
   * TypeORM's own pool, so that there is one set of connections to size.
   *
   * @internal
   */
  get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  private get connection(): Pool {
    return (this.client as unknown as Pool | null) ?? this.pool;
  }

  /**
   * Of the transaction in progress.
   *
   * @throws Error for work that goes on after the transaction that it was begun in
   */
  private get client(): PreparingClient | null {
    const transaction = this.scope.getStore();
    if (transaction?.ended) throw new Error('The transaction of this statement has ended.');
    return transaction?.client ?? null;
  }

  private async transactionOnce<T>(work: () => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      return await this.transactionOn(client as PoolClient & PreparingClient, work);
    } finally {
      client.release();
    }
  }

  private async transactionOn<T>(client: PreparingClient, work: () => Promise<T>): Promise<T> {
    const transaction: Transaction = {
      client,
      afterCommit: [],
      trailing: new TrailingRows(),
      savepoints: 0,
      ended: false,
    };
    client.begin();
    try {
      const result = await this.scope.run(transaction, async () => {
        const worked = await work();
        await this.commit(transaction);
        return worked;
      });
      transaction.ended = true;
      for (const follow of transaction.afterCommit) follow();
      return result;
    } catch (error) {
      transaction.ended = true;
      // A connection that broke cannot roll back, and needs not to: the server has.
      await client.rollback().catch(() => undefined);
      throw error;
    }
  }

  /** Together with the rows that come last: if they fail, nothing is committed. */
  private async commit({ client, trailing }: Transaction): Promise<void> {
    const last = trailing.take();
    const committed = await client.commit(last && this.named(...last)).catch((error: unknown) => {
      throw fromHere(error);
    });
    if (!committed) throw new Error('A statement of the transaction had failed: it was rolled back.');
  }

  private async write(trailing: TrailingRows): Promise<void> {
    const statement = trailing.take();
    if (statement) await this.execute(...statement);
  }

  private named(sql: string, values: unknown[]): NamedStatement & { values: unknown[] } {
    return { name: this.nameOf(sql), text: sql, values };
  }

  private nameOf(sql: string): string {
    let name = this.statementNames.get(sql);
    if (name === undefined) {
      name = `s${this.statementNames.size}`;
      this.statementNames.set(sql, name);
    }
    return name;
  }
}

/** With the stack of whoever asked: an error of the server comes with that of the socket that it was read from. */
function fromHere(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error, fromHere);
  return error;
}
