import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CompanySignIn1796052600000 implements MigrationInterface {
  name = 'CompanySignIn1796052600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sign_in_attempts ADD COLUMN user_id text COLLATE "C";
      CREATE TABLE sign_in_links (
        hash bytea NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT sign_in_links_pkey PRIMARY KEY (hash),
        CONSTRAINT sign_in_links_person UNIQUE (user_id),
        CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
      );
      CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);
      CREATE INDEX invitations_invited ON invitations (email) WHERE accepted_at IS NULL AND declined_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX invitations_invited;
      DROP TABLE sign_in_links;
      ALTER TABLE sign_in_attempts DROP COLUMN user_id`);
  }
}
