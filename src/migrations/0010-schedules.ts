import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A schedule that is switched on always has a moment at which it is due, by which it is found. */
export class Schedules1760000000010 implements MigrationInterface {
  name = 'Schedules1760000000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEDULES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schedules');
  }
}

const SCHEDULES = `
  CREATE TABLE schedules (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    environment_id text COLLATE "C" NOT NULL REFERENCES environments,
    script_id text COLLATE "C" NOT NULL REFERENCES scripts,
    name text NOT NULL,
    cron text NOT NULL,
    timezone text NOT NULL,
    -- Not jsonb, which forgets the order of what was sent.
    inputs json NOT NULL,
    enabled boolean NOT NULL DEFAULT true,
    disabled_reason text,
    by_agent boolean NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    next_run_at timestamptz,
    last_run_at timestamptz,
    last_run_id text COLLATE "C",
    CHECK (enabled = (next_run_at IS NOT NULL)),
    CHECK (NOT enabled OR disabled_reason IS NULL)
  ) WITH (fillfactor = 80);
  CREATE INDEX schedules_list ON schedules (workspace_id, id);
  CREATE INDEX schedules_by_script ON schedules (script_id, id);
  CREATE INDEX schedules_by_environment ON schedules (environment_id, id);
  CREATE INDEX schedules_by_creator ON schedules (created_by_user_id) WHERE enabled;
  CREATE INDEX schedules_due ON schedules (next_run_at) WHERE next_run_at IS NOT NULL;
`;
