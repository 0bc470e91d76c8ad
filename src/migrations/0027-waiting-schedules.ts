import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WaitingSchedules1796743800000 implements MigrationInterface {
  name = 'WaitingSchedules1796743800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE waiting_schedules (
        id text COLLATE "C" NOT NULL,
        workspace_id text COLLATE "C" NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        claim integer NOT NULL DEFAULT 0,
        worker_id text COLLATE "C",
        lease_until timestamptz,
        CONSTRAINT waiting_schedules_pkey PRIMARY KEY (id)
      );
      CREATE INDEX waiting_schedules_queue ON waiting_schedules (workspace_id, id) WHERE worker_id IS NULL;
      CREATE INDEX waiting_schedules_taken ON waiting_schedules (workspace_id, worker_id) WHERE worker_id IS NOT NULL;

      ALTER TABLE approval_notices
        ADD COLUMN workspace_id text COLLATE "C",
        ADD COLUMN notice_id text COLLATE "C";
      CREATE TABLE approval_notice_turns (
        workspace_id text COLLATE "C" NOT NULL,
        channel text NOT NULL,
        next_at timestamptz NOT NULL,
        CONSTRAINT approval_notice_turns_pkey PRIMARY KEY (workspace_id, channel)
      );
      ALTER TABLE memberships ADD COLUMN accepts_ownership boolean NOT NULL DEFAULT true;
      ALTER TABLE mails ADD COLUMN workspace_id text COLLATE "C";
      CREATE INDEX mails_of_accounts ON mails (due_at) WHERE workspace_id IS NULL;
      CREATE INDEX mails_of_workspaces ON mails (workspace_id, id) WHERE workspace_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE memberships DROP COLUMN accepts_ownership;
      DROP INDEX mails_of_workspaces, mails_of_accounts;
      ALTER TABLE mails DROP COLUMN workspace_id;
      DROP TABLE approval_notice_turns;
      ALTER TABLE approval_notices DROP COLUMN notice_id, DROP COLUMN workspace_id;
      DROP TABLE waiting_schedules`);
  }
}
