import { DataSource, type QueryRunner, type Repository } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { newId } from '../../src/core/crypto/ids.js';
import { ConnectionOptions } from '../../src/core/database/connection-options.js';
import { dataSourceOptions } from '../../src/core/database/data-source.js';
import { Database } from '../../src/core/database/database.js';
import type { TrailingInsert } from '../../src/core/database/trailing-rows.js';
import { User } from '../../src/auth/index.js';

/** A TypeORM repository, as Nest injects it, takes part in whatever transaction surrounds its call. */
describe('a repository', () => {
  let source: DataSource;
  let database: Database;
  let users: Repository<User>;
  /** Outside of every transaction. */
  let outside: QueryRunner;

  beforeAll(async () => {
    const options = dataSourceOptions(new ConnectionOptions(inject('databaseUrl'), 4));
    source = await new DataSource({ ...options, entities: [User] }).initialize();
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
    const insertGiven: TrailingInsert = (rows) => `INSERT INTO users (id, email, name)
      SELECT * FROM json_to_recordset(${rows}::json) AS given(id text, email text, name text)`;

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

  it('does not say that it is done where a failure was passed over', async () => {
    const user = newUser();
    const done = database.transaction(async () => {
      await users.insert(user);
      await users.insert(user).catch(() => undefined);
    });
    await expect(done).rejects.toThrow('rolled back');
    expect(await isThere(user.id)).toBe(false);
  });

  it('goes on with a connection after a transaction on it failed', async () => {
    const one = new Database(
      await new DataSource({
        ...dataSourceOptions(new ConnectionOptions(inject('databaseUrl'), 1)),
        entities: [User],
      }).initialize(),
    );
    try {
      await expect(one.transaction(() => one.query('SELECT 1/0'))).rejects.toThrow('division by zero');
      await expect(one.transaction(() => one.query('SELECT 1 AS one'))).resolves.toEqual([{ one: 1 }]);
    } finally {
      await one.pool.end();
    }
  });
});
