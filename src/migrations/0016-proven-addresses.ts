import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProvenAddresses1795793400000 implements MigrationInterface {
  name = 'ProvenAddresses1795793400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN email_proven_at timestamptz;
      -- Of the accounts that there are, it is known of those that a provider made and that have had no password since.
      UPDATE users u SET email_proven_at = u.created_at
      WHERE u.password_hash IS NULL AND EXISTS (SELECT FROM external_identities i WHERE i.user_id = u.id);
      ALTER TABLE invitations
        ADD COLUMN mailed boolean NOT NULL DEFAULT false,
        ADD COLUMN grant_id text COLLATE "C"
          CONSTRAINT invitations_grant_id_fkey REFERENCES agent_grants (id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invitations DROP COLUMN grant_id, DROP COLUMN mailed;
      ALTER TABLE users DROP COLUMN email_proven_at`);
  }
}
