import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What scripts fail of: runs that failed in the same way are one error. And how runs ended, by hour and day. */
export class Errors1798423400000 implements MigrationInterface {
  name = 'Errors1798423400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE error_groups (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        environment_id text COLLATE "C" NOT NULL REFERENCES environments,
        script_id text COLLATE "C" NOT NULL REFERENCES scripts,
        fingerprint text NOT NULL,
        title text NOT NULL,
        exception text,
        place text,
        sample text NOT NULL,
        count integer NOT NULL,
        first_at timestamptz NOT NULL DEFAULT now(),
        last_at timestamptz NOT NULL DEFAULT now(),
        last_event_id text COLLATE "C" NOT NULL,
        last_run_id text COLLATE "C" NOT NULL,
        last_version integer NOT NULL,
        status text NOT NULL DEFAULT 'open',
        ignore_until timestamptz,
        status_at timestamptz NOT NULL DEFAULT now(),
        status_by_user_id text COLLATE "C" REFERENCES users,
        CONSTRAINT error_groups_pkey PRIMARY KEY (id),
        CONSTRAINT error_groups_status_check CHECK (status IN ('open', 'resolved', 'ignored'))
      );
      CREATE INDEX error_groups_age ON error_groups (last_at);
      CREATE UNIQUE INDEX error_groups_kind ON error_groups (script_id, environment_id, fingerprint);
      CREATE INDEX error_groups_list ON error_groups (workspace_id, last_event_id);

      CREATE TABLE error_runs (
        run_id text COLLATE "C" NOT NULL REFERENCES runs ON DELETE CASCADE,
        error_id text COLLATE "C" NOT NULL,
        CONSTRAINT error_runs_pkey PRIMARY KEY (run_id)
      );
      CREATE INDEX error_runs_list ON error_runs (error_id, run_id);

      CREATE TABLE error_sightings (
        workspace_id text COLLATE "C" NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        run_id text COLLATE "C" NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT error_sightings_pkey PRIMARY KEY (workspace_id, event_id)
      );

      CREATE TABLE run_statistics (
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        unit text NOT NULL,
        at timestamptz NOT NULL,
        script_id text COLLATE "C" NOT NULL REFERENCES scripts,
        environment_id text COLLATE "C" NOT NULL REFERENCES environments,
        version integer NOT NULL,
        succeeded integer NOT NULL,
        failed integer NOT NULL,
        cancelled integer NOT NULL,
        durations jsonb NOT NULL,
        waits jsonb NOT NULL,
        CONSTRAINT run_statistics_pkey PRIMARY KEY (workspace_id, unit, at, script_id, environment_id, version),
        CONSTRAINT run_statistics_unit_check CHECK (unit IN ('hour', 'day'))
      );
      CREATE INDEX run_statistics_age ON run_statistics (unit, at);
      CREATE INDEX run_statistics_by_script ON run_statistics (script_id, unit, at);

      CREATE TABLE run_end_sightings (
        workspace_id text COLLATE "C" NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        run_id text COLLATE "C" NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT run_end_sightings_pkey PRIMARY KEY (workspace_id, event_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE run_end_sightings;
      DROP TABLE run_statistics;
      DROP TABLE error_sightings;
      DROP TABLE error_runs;
      DROP TABLE error_groups`);
  }
}
