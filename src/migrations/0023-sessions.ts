import type { MigrationInterface, QueryRunner } from 'typeorm';

import { newId } from '../core/crypto/ids.js';

/** What a person sees of their sessions, by which they end them, and when each has last shown the password. */
export class Sessions1760000000023 implements MigrationInterface {
  name = 'Sessions1760000000023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    const sessions = (await runner.query('SELECT hash FROM sessions ORDER BY created_at')) as {
      hash: Buffer;
    }[];
    await runner.query(
      'UPDATE sessions s SET id = n.id FROM unnest($1::bytea[], $2::text[]) AS n(hash, id) WHERE s.hash = n.hash',
      [sessions.map(({ hash }) => hash), sessions.map(() => newId('session'))],
    );
    await runner.query(KEYS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const COLUMNS = `
  ALTER TABLE sessions
    ADD COLUMN id text COLLATE "C",
    ADD COLUMN address text,
    ADD COLUMN user_agent text,
    ADD COLUMN last_used_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN confirmed_at timestamptz NOT NULL DEFAULT now();
  UPDATE sessions SET last_used_at = created_at, confirmed_at = created_at;
`;

const KEYS = `
  ALTER TABLE sessions ALTER COLUMN id SET NOT NULL;
  CREATE UNIQUE INDEX sessions_id ON sessions (id);
  DROP INDEX sessions_person;
  CREATE INDEX sessions_person ON sessions (user_id, id);
`;

const DOWN = `
  DROP INDEX sessions_person;
  CREATE INDEX sessions_person ON sessions (user_id);
  ALTER TABLE sessions DROP COLUMN confirmed_at, DROP COLUMN last_used_at, DROP COLUMN user_agent,
    DROP COLUMN address, DROP COLUMN id;
`;
