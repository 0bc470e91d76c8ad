import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is done to many runs, step by step. */
export class RunOperations1798250400000 implements MigrationInterface {
  name = 'RunOperations1798250400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE run_operations (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        kind text NOT NULL,
        status text NOT NULL DEFAULT 'running',
        filter jsonb NOT NULL,
        run_ids text[] NOT NULL,
        matched integer NOT NULL,
        more boolean NOT NULL,
        done integer NOT NULL DEFAULT 0,
        skipped integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        left_out jsonb NOT NULL DEFAULT '[]',
        error text,
        waits_because text,
        environment_id text COLLATE "C",
        started_by_user_id text COLLATE "C",
        credential_id text COLLATE "C" NOT NULL,
        credential_type text,
        credential_name text,
        credential_strategy text NOT NULL,
        credential_hash bytea,
        caused_by_run_id text COLLATE "C",
        due_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        finished_at timestamptz,
        CONSTRAINT run_operations_pkey PRIMARY KEY (id),
        CONSTRAINT run_operations_kind_check CHECK (kind IN ('cancel', 'rerun')),
        CONSTRAINT run_operations_status_check CHECK (status IN ('running', 'completed', 'cancelled', 'failed'))
      );
      CREATE INDEX run_operations_due ON run_operations (due_at) WHERE status = 'running';
      CREATE INDEX run_operations_list ON run_operations (workspace_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE run_operations');
  }
}
