import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Places that the runs of several scripts share. */
export class Queues1797818400000 implements MigrationInterface {
  name = 'Queues1797818400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE queues (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        created_by_user_id text COLLATE "C" REFERENCES users,
        name text NOT NULL,
        run_limit integer,
        paused boolean NOT NULL DEFAULT false,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT queues_pkey PRIMARY KEY (id),
        CONSTRAINT queues_name_key UNIQUE (workspace_id, name),
        CONSTRAINT queues_run_limit_check CHECK (run_limit BETWEEN 1 AND 1000)
      );
      CREATE INDEX queues_list ON queues (workspace_id, id);
      ALTER TABLE scripts ADD COLUMN queue text;
      ALTER TABLE runs ADD COLUMN queue text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE runs DROP COLUMN queue;
      ALTER TABLE scripts DROP COLUMN queue;
      DROP TABLE queues`);
  }
}
