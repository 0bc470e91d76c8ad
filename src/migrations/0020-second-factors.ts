import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SecondFactors1796139000000 implements MigrationInterface {
  name = 'SecondFactors1796139000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN second_factor boolean NOT NULL DEFAULT false;
      ALTER TABLE sessions ADD COLUMN provided boolean NOT NULL DEFAULT false;
      ALTER TABLE workspaces
        ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false,
        ADD COLUMN step_up_minutes integer;
      CREATE TABLE totp_secrets (
        user_id text COLLATE "C" NOT NULL,
        sealed bytea NOT NULL,
        last_step integer NOT NULL DEFAULT 0,
        confirmed_at timestamptz,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT totp_secrets_pkey PRIMARY KEY (user_id),
        CONSTRAINT totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
      );
      CREATE TABLE passkeys (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        user_id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        credential_id bytea NOT NULL,
        public_key bytea NOT NULL,
        sign_count bigint NOT NULL,
        transports text[] NOT NULL,
        last_used_at timestamptz,
        CONSTRAINT passkeys_pkey PRIMARY KEY (id),
        CONSTRAINT passkeys_credential_key UNIQUE (credential_id),
        CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
      );
      CREATE INDEX passkeys_person ON passkeys (user_id, id);
      CREATE TABLE recovery_codes (
        user_id text COLLATE "C" NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash),
        CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
      );
      CREATE TABLE factor_challenges (
        hash bytea NOT NULL,
        purpose text NOT NULL,
        user_id text COLLATE "C",
        password_proof bytea,
        expires_at timestamptz NOT NULL,
        CONSTRAINT factor_challenges_pkey PRIMARY KEY (hash),
        CONSTRAINT factor_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
      );
      CREATE INDEX factor_challenges_expiry ON factor_challenges (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE factor_challenges, recovery_codes, passkeys, totp_secrets;
      ALTER TABLE workspaces DROP COLUMN step_up_minutes, DROP COLUMN second_factor_required;
      ALTER TABLE sessions DROP COLUMN provided;
      ALTER TABLE users DROP COLUMN second_factor`);
  }
}
