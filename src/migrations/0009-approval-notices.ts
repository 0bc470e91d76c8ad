import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ApprovalNotices1760000000009 implements MigrationInterface {
  name = 'ApprovalNotices1760000000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE approval_notices (
        id text COLLATE "C" PRIMARY KEY,
        channel text NOT NULL,
        request_ids text[] COLLATE "C" NOT NULL,
        second_person_ids text[] COLLATE "C" NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX approval_notices_due ON approval_notices (channel, due_at);
      CREATE INDEX approval_notices_created ON approval_notices (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE approval_notices');
  }
}
