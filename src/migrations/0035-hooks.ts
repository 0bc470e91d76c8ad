import type { MigrationInterface, QueryRunner } from 'typeorm';

const BYTES = 'octet_length(filter::text) + octet_length(inputs::text)';

/** Addresses to which others send requests that start runs. The check of `runs` is validated by the next migration. */
export class Hooks1797462000000 implements MigrationInterface {
  name = 'Hooks1797462000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE hooks (
        id text COLLATE "C" NOT NULL,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        environment_id text COLLATE "C" NOT NULL REFERENCES environments,
        script_id text COLLATE "C" NOT NULL REFERENCES scripts,
        name text NOT NULL,
        address_hash bytea NOT NULL,
        verify json NOT NULL,
        headers text[] NOT NULL,
        filter json NOT NULL,
        inputs json NOT NULL,
        respond boolean NOT NULL,
        enabled boolean NOT NULL DEFAULT true,
        disabled_reason text,
        by_agent boolean NOT NULL,
        created_by_user_id text COLLATE "C" REFERENCES users,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_received_at timestamptz,
        refusal_told_at timestamptz,
        bytes integer NOT NULL GENERATED ALWAYS AS (${BYTES}) STORED,
        CONSTRAINT hooks_pkey PRIMARY KEY (id),
        CONSTRAINT hooks_reason_check CHECK ((NOT enabled) OR (disabled_reason IS NULL))
      );
      CREATE UNIQUE INDEX hooks_by_address ON hooks (address_hash);
      CREATE INDEX hooks_by_script ON hooks (script_id, id);
      CREATE INDEX hooks_list ON hooks (environment_id, id);

      CREATE TABLE hook_receipts (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        workspace_id text COLLATE "C" NOT NULL,
        hook_id text COLLATE "C" NOT NULL,
        verdict text NOT NULL,
        reason text,
        provider_id text,
        digest bytea NOT NULL,
        body_bytes integer NOT NULL,
        body bytea,
        headers json NOT NULL,
        query json NOT NULL,
        run_id text COLLATE "C",
        CONSTRAINT hook_receipts_pkey PRIMARY KEY (id),
        CONSTRAINT hook_receipts_verdict_check
          CHECK (verdict IN ('accepted', 'filtered', 'duplicate', 'handshake', 'refused'))
      );
      CREATE INDEX hook_receipts_list ON hook_receipts (hook_id, id);

      CREATE TABLE hook_sightings (
        hook_id text COLLATE "C" NOT NULL,
        key bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT hook_sightings_pkey PRIMARY KEY (hook_id, key)
      );
      CREATE INDEX hook_sightings_expiry ON hook_sightings (created_at);

      ALTER TABLE runs
        ADD COLUMN hook_id text COLLATE "C",
        DROP CONSTRAINT runs_interface_check,
        ADD CONSTRAINT runs_interface_check
          CHECK (interface IN ('app', 'api', 'cli', 'mcp', 'schedule', 'trigger', 'hook')) NOT VALID`);
    // Where TypeORM looks up how a column is computed.
    await runner.query(
      `INSERT INTO typeorm_metadata (type, database, schema, "table", name, value)
       VALUES ('GENERATED_COLUMN', current_database(), current_schema(), 'hooks', 'bytes', $1)`,
      [BYTES],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE runs
        DROP COLUMN hook_id,
        DROP CONSTRAINT runs_interface_check,
        ADD CONSTRAINT runs_interface_check
          CHECK (interface IN ('app', 'api', 'cli', 'mcp', 'schedule', 'trigger')) NOT VALID;
      DROP TABLE hook_sightings, hook_receipts, hooks;
      DELETE FROM typeorm_metadata WHERE "table" = 'hooks'`);
  }
}
