import type { QueryRunner, Repository } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import { newId } from '../../src/core/crypto/ids.js';
import { AmbientDataSource } from '../../src/core/database/ambient-data-source.js';
import { ConnectionOptions } from '../../src/core/database/connection-options.js';
import { dataSourceOptions } from '../../src/core/database/data-source.js';
import { Database } from '../../src/core/database/database.js';
import type { TrailingInsert } from '../../src/core/database/trailing-rows.js';
import { OutboxEvent } from '../../src/core/outbox/outbox-event.entity.js';
import { User } from '../../src/auth/index.js';

const insertGiven: TrailingInsert = (rows) => `INSERT INTO users (id, email, name)
  SELECT * FROM json_to_recordset(${rows}::json) AS given(id text, email text, name text)`;

/** A TypeORM repository, as Nest injects it, takes part in whatever transaction surrounds its call. */
describe('a repository', () => {
  let source: AmbientDataSource;
  let database: Database;
  let users: Repository<User>;
  /** Outside of every transaction. */
  let outside: QueryRunner;

  beforeAll(async () => {
    const options = await dataSourceOptions(new ConnectionOptions(inject('databaseUrl'), 4));
    source = await new AmbientDataSource({ ...options, entities: [User, OutboxEvent] }).initialize();
    users = source.getRepository(User);
    outside = source.createQueryRunner();
    database = new Database(source);
  });

  afterAll(async () => {
    await outside.release();
    await source.destroy();
  });

  const newUser = () => {
    const id = newId('user');
    return { id, email: `${id}@example.com`, name: 'Ada' };
  };
  const isThere = (id: string) => outside.manager.existsBy(User, { id });

  it('writes at once where there is no transaction', async () => {
    const user = newUser();
    await users.insert(user);
    expect(await isThere(user.id)).toBe(true);
  });

  it('stores text of any characters, what PostgreSQL refuses as U+FFFD', async () => {
    const [whole, given] = [newUser(), newUser()];
    await users.insert({ ...whole, name: 'a\0\ud83d' });
    await database.insertLast(insertGiven, [{ ...given, name: 'a\0\ud83d😀' }]);
    const named = await users.find({ where: [{ id: whole.id }, { id: given.id }], order: { name: 'ASC' } });
    expect(named.map(({ name }) => name)).toEqual(['a\ufffd\ufffd', 'a\ufffd\ufffd😀']);
    const event = source
      .createQueryBuilder()
      .insert()
      .into(OutboxEvent)
      .values({ data: ['\ud83d', '\0'] });
    expect(event.getQueryAndParameters()[1]).toContain('["\ufffd","\ufffd"]');
  });

  it('leaves nothing behind of a transaction that failed', async () => {
    const user = newUser();
    const failed = database.transaction(async () => {
      await users.insert(user);
      await users.createQueryBuilder().update({ name: 'Grace' }).where({ id: user.id }).execute();
      expect(await users.findOneByOrFail({ id: user.id })).toMatchObject({ name: 'Grace' });
      expect(await isThere(user.id)).toBe(false);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await isThere(user.id)).toBe(false);
  });

  it('sees what SQL of the same transaction wrote, and is undone alone with a savepoint', async () => {
    const [kept, undone] = [newUser(), newUser()];
    await database.transaction(async () => {
      await database.execute('INSERT INTO users (id, email, name) VALUES ($1, $2, $3)', Object.values(kept));
      expect(await users.existsBy({ id: kept.id })).toBe(true);
      const failed = database.savepoint(async () => {
        await users.insert(undone);
        throw new Error('undone');
      });
      await expect(failed).rejects.toThrow('undone');
    });
    expect(await isThere(kept.id)).toBe(true);
    expect(await isThere(undone.id)).toBe(false);
  });

  it('keeps transactions apart that run at the same time', async () => {
    const [first, second] = [newUser(), newUser()];
    let inserted!: () => void;
    const bothInserted = new Promise<void>((resolve) => (inserted = resolve));
    const failing = database.transaction(async () => {
      await users.insert(first);
      await bothInserted;
      throw new Error('undone');
    });
    const failed = expect(failing).rejects.toThrow('undone');
    await database.transaction(async () => {
      await users.insert(second);
      inserted();
      expect(await users.existsBy({ id: first.id })).toBe(false);
    });
    await failed;
    expect([await isThere(first.id), await isThere(second.id)]).toEqual([false, true]);
  });

  describe('writes rows that come last', () => {
    it('before the commit, and not before that', async () => {
      const user = newUser();
      await database.transaction(async () => {
        await database.insertLast(insertGiven, [user]);
        expect(await users.existsBy({ id: user.id })).toBe(false);
      });
      expect(await isThere(user.id)).toBe(true);
    });

    it('at once where there is no transaction', async () => {
      const user = newUser();
      await database.insertLast(insertGiven, [user]);
      expect(await isThere(user.id)).toBe(true);
    });

    it('with the savepoint in which they came, which fails where they fail', async () => {
      const [before, undone, after] = [newUser(), newUser(), newUser()];
      await database.transaction(async () => {
        await database.insertLast(insertGiven, [before]);
        const failed = database.savepoint(() => database.insertLast(insertGiven, [undone, undone]));
        await expect(failed).rejects.toThrow('duplicate key');
        const thrown = database.savepoint(async () => {
          await database.insertLast(insertGiven, [undone]);
          throw new Error('undone');
        });
        await expect(thrown).rejects.toThrow('undone');
        await database.insertLast(insertGiven, [after]);
      });
      expect(await Promise.all([before, undone, after].map(({ id }) => isThere(id)))).toEqual([
        true,
        false,
        true,
      ]);
    });

    it('or undoes the transaction', async () => {
      const [user, twice] = [newUser(), newUser()];
      const failed = database.transaction(async () => {
        await users.insert(user);
        await database.insertLast(insertGiven, [twice, twice]);
      });
      await expect(failed).rejects.toMatchObject({ code: '23505' });
      expect(await isThere(user.id)).toBe(false);
    });
  });

  it('writes nothing with a transaction that has ended', async () => {
    const [user, late] = [newUser(), newUser()];
    let ended!: () => void;
    const afterwards = new Promise<void>((resolve) => (ended = resolve));
    let writing!: Promise<unknown>;
    await database.transaction(async () => {
      await users.insert(user);
      writing = afterwards.then(() => users.insert(late));
      writing.catch(() => undefined);
    });
    // While another one is in progress, which may have the connection by now.
    await database.transaction(async () => {
      ended();
      await expect(writing).rejects.toThrow('has ended');
    });
    expect(await isThere(late.id)).toBe(false);
  });

  it('does not say that it is done where a failure was passed over', async () => {
    const user = newUser();
    const done = database.transaction(async () => {
      await users.insert(user);
      await users.insert(user).catch(() => undefined);
    });
    await expect(done).rejects.toThrow('rolled back');
    expect(await isThere(user.id)).toBe(false);
  });

  describe('on one connection', () => {
    let one: Database;

    beforeEach(async () => {
      const options = await dataSourceOptions(new ConnectionOptions(inject('databaseUrl'), 1));
      one = new Database(await new AmbientDataSource({ ...options, entities: [User] }).initialize());
    });
    afterEach(() => one.pool.end());

    it('goes on after a transaction failed', async () => {
      await expect(one.transaction(() => one.query('SELECT 1/0'))).rejects.toThrow('division by zero');
      await expect(one.transaction(() => one.query('SELECT 1 AS one'))).resolves.toEqual([{ one: 1 }]);
    });

    it('prepares a statement again that failed when it was prepared', async () => {
      const table = `later_${newId('user')}`;
      const count = (): Promise<unknown> => one.query(`SELECT count(*) FROM ${table}`);
      await expect(one.transaction(count)).rejects.toMatchObject({ code: '42P01' });
      await outside.query(`CREATE TABLE ${table} ()`);
      try {
        expect(await one.transaction(count)).toEqual([{ count: 0 }]);
        expect(await one.transaction(count)).toEqual([{ count: 0 }]);
      } finally {
        await outside.query(`DROP TABLE ${table}`);
      }
    });

    it('prepares a statement again that failed when it was carried out for the first time', async () => {
      const ratio = (by: number): Promise<unknown> => one.query('SELECT 6 / $1::int AS ratio', [by]);
      await expect(one.transaction(() => ratio(0))).rejects.toThrow('division by zero');
      expect(await one.transaction(() => ratio(3))).toEqual([{ ratio: 2 }]);
      expect(await one.transaction(() => ratio(6))).toEqual([{ ratio: 1 }]);
    });

    it('reads rows of the same columns each time, and of none', async () => {
      const rows = (least: number): Promise<unknown> =>
        one.query(
          `SELECT n, CASE WHEN n = 2 THEN true END AS two, to_timestamp(0) AS at
           FROM unnest(ARRAY[1, 2]) AS v(n) WHERE n >= $1`,
          [least],
        );
      const at = new Date(0);
      const two = { n: 2, two: true, at };
      expect(await rows(3)).toEqual([]);
      expect(await rows(1)).toEqual([{ n: 1, two: null, at }, two]);
      expect(await rows(2)).toEqual([two]);
    });

    it('asks for several things at once', async () => {
      const squares = await one.transaction(() =>
        Promise.all([1, 2, 3].map((n) => one.one<{ n: number }>('SELECT $1::int * $1::int AS n', [n]))),
      );
      expect(squares).toEqual([{ n: 1 }, { n: 4 }, { n: 9 }]);
    });

    it('refuses a value that cannot be sent, and goes on', async () => {
      const circle: { self?: unknown } = {};
      circle.self = circle;
      const given = (value: unknown): Promise<unknown> => one.query('SELECT $1::jsonb AS given', [value]);
      await expect(one.transaction(() => given(circle))).rejects.toThrow('circular');
      expect(await one.transaction(() => given({ a: 1 }))).toEqual([{ given: { a: 1 } }]);
    });

    it('begins a transaction also after its first value could not be sent', async () => {
      const circle: { self?: unknown } = {};
      circle.self = circle;
      const user = newUser();
      const undone = one.transaction(async () => {
        await one.query('SELECT $1::jsonb', [circle]).catch(() => undefined);
        await one.execute('INSERT INTO users (id, email, name) VALUES ($1, $2, $3)', Object.values(user));
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await isThere(user.id)).toBe(false);
    });

    it('begins no transaction of which nothing is asked', async () => {
      expect(await one.transaction(() => Promise.resolve(1))).toBe(1);
      await expect(one.transaction(() => Promise.reject(new Error('not done')))).rejects.toThrow('not done');
      const user = newUser();
      await one.execute('INSERT INTO users (id, email, name) VALUES ($1, $2, $3)', Object.values(user));
      expect(await isThere(user.id)).toBe(true);
    });

    it('begins a transaction also with a savepoint, or with the rows that come last', async () => {
      const [first, last] = [newUser(), newUser()];
      const insert = (user: object): Promise<unknown> =>
        one.execute('INSERT INTO users (id, email, name) VALUES ($1, $2, $3)', Object.values(user));
      const undone = one.transaction(async () => {
        await one.savepoint(() => insert(first));
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await isThere(first.id)).toBe(false);
      await one.transaction(() => one.insertLast(insertGiven, [last]));
      expect(await isThere(last.id)).toBe(true);
    });
  });
});
