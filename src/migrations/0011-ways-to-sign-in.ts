import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WaysToSignIn1795361400000 implements MigrationInterface {
  name = 'WaysToSignIn1795361400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sign_in_attempts (
        hash bytea NOT NULL,
        way text NOT NULL,
        next text NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (hash)
      );
      CREATE INDEX sign_in_attempts_expiry ON sign_in_attempts (expires_at);
      CREATE TABLE external_identities (
        way text NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT external_identities_pkey PRIMARY KEY (way, issuer, subject),
        CONSTRAINT external_identities_one_per_person UNIQUE (way, issuer, user_id),
        CONSTRAINT external_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
      );
      CREATE INDEX external_identities_person ON external_identities (user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE external_identities; DROP TABLE sign_in_attempts');
  }
}
