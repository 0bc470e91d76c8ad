import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mail that waits to be sent. */
export class MailAndUsage1760000000005 implements MigrationInterface {
  name = 'MailAndUsage1760000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MAILS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mails');
  }
}

const MAILS = `
  CREATE TABLE mails (
    id text COLLATE "C" PRIMARY KEY,
    -- Recipient, subject and text, sealed by the master key: links in mail open doors.
    message bytea NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    -- When to try it next. Whoever tries it pushes this on, so that nobody else does meanwhile.
    due_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX mails_due ON mails (due_at);

  CREATE INDEX password_resets_person ON password_resets (user_id);
`;
