import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Values are encrypted with a key of their workspace, and that key with the master key, which is not in the database. */
export class Secrets1760000000002 implements MigrationInterface {
  name = 'Secrets1760000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SECRETS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE secret_values, secrets, workspace_keys');
  }
}

const SECRETS = `
  CREATE TABLE workspace_keys (
    workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
    master_key_id text COLLATE "C" NOT NULL,
    sealed_key bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE secrets (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    name text COLLATE "C" NOT NULL,
    allow_env boolean NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT secrets_name_key UNIQUE (workspace_id, name)
  );
  CREATE INDEX secrets_list ON secrets (workspace_id, id);

  CREATE TABLE secret_values (
    secret_id text COLLATE "C" NOT NULL REFERENCES secrets ON DELETE CASCADE,
    environment_id text COLLATE "C" NOT NULL REFERENCES environments,
    sealed bytea NOT NULL,
    hosts text[] NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    updated_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    PRIMARY KEY (secret_id, environment_id)
  );
  CREATE INDEX secret_values_environment ON secret_values (environment_id, secret_id);
`;
