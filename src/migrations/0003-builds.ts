import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Installations of dependencies. One that succeeded is found again by the content of what it was made from. */
export class Builds1760000000003 implements MigrationInterface {
  name = 'Builds1760000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(BUILDS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE script_versions DROP COLUMN deps_key, DROP COLUMN deps_whole;
      ALTER TABLE instances DROP COLUMN runtime;
      DROP TABLE builds`);
  }
}

const BUILDS = `
  CREATE TABLE builds (
    id text COLLATE "C" PRIMARY KEY,
    -- Nobody gets what was built for another workspace: what an installation makes is only as good as who asked for it.
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    content_key text NOT NULL,
    runtime text NOT NULL,
    recipe json NOT NULL,
    archive_key text NOT NULL,
    status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
    log text NOT NULL DEFAULT '',
    error text,
    deps_key text,
    deps_bytes integer,
    claim integer NOT NULL DEFAULT 0,
    worker_id text COLLATE "C",
    lease_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    finished_at timestamptz,
    CHECK ((status = 'succeeded') = (deps_key IS NOT NULL))
  );
  -- A failed installation may be tried again at any time.
  CREATE UNIQUE INDEX builds_content ON builds (workspace_id, content_key) WHERE status <> 'failed';
  CREATE INDEX builds_queue ON builds (id) WHERE status = 'queued';
  CREATE INDEX builds_leases ON builds (lease_until) WHERE status = 'running';
  CREATE INDEX builds_failed ON builds (finished_at) WHERE status = 'failed';

  -- What a worker builds for: system, Python and Node. null: it runs no scripts.
  ALTER TABLE instances ADD COLUMN runtime text;

  -- The installed dependencies, to be laid over the archive, or (whole) the folder that takes its place.
  ALTER TABLE script_versions ADD COLUMN deps_key text, ADD COLUMN deps_whole boolean NOT NULL DEFAULT false;
`;
