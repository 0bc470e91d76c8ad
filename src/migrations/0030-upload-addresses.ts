import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses to which a file is sent once, without a credential. */
export class UploadAddresses1797030000000 implements MigrationInterface {
  name = 'UploadAddresses1797030000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE upload_addresses (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        token_hash bytea NOT NULL,
        workspace_id text COLLATE "C" NOT NULL,
        workspace_slug text NOT NULL,
        environment_id text COLLATE "C" NOT NULL,
        environment_name text NOT NULL,
        credential_id text COLLATE "C" NOT NULL,
        credential_strategy text NOT NULL,
        credential_hash bytea NOT NULL,
        name text NOT NULL,
        max_bytes integer NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT upload_addresses_pkey PRIMARY KEY (id)
      );
      CREATE INDEX upload_addresses_of_credential ON upload_addresses (credential_id);
      CREATE INDEX upload_addresses_expiry ON upload_addresses (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE upload_addresses');
  }
}
