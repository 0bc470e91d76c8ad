import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How large an item of a list is, known without reading it; progress with all its digits; and several earlier secrets of an
 * endpoint, each for its own day.
 */
export class BoundedAnswers1760000000051 implements MigrationInterface {
  name = 'BoundedAnswers1760000000051';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SIZES);
    await runner.query('ALTER TABLE runs ALTER COLUMN progress TYPE double precision');
    await runner.query(EARLIER_SECRETS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD COLUMN previous_sealed_secret bytea, ADD COLUMN previous_secret_until timestamptz;
      UPDATE webhook_endpoints e SET previous_sealed_secret = s.sealed_secret, previous_secret_until = s.signs_until
      FROM webhook_earlier_secrets s
      WHERE s.id = (SELECT max(id) FROM webhook_earlier_secrets WHERE endpoint_id = e.id);
      DROP TABLE webhook_earlier_secrets;
      ALTER TABLE runs ALTER COLUMN progress TYPE real;
      ALTER TABLE script_versions DROP COLUMN input_schema_bytes, DROP COLUMN other_bytes;
      ALTER TABLE schedules DROP COLUMN bytes;
      ALTER TABLE triggers DROP COLUMN bytes;
      ALTER TABLE approval_requests DROP COLUMN bytes`);
  }
}

const SIZES = `
  ALTER TABLE script_versions
    ADD COLUMN input_schema_bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(input_schema::text)) STORED,
    ADD COLUMN other_bytes integer NOT NULL GENERATED ALWAYS AS (
      octet_length(command) + coalesce(octet_length(build), 0) + coalesce(octet_length(build_log), 0)
      + coalesce(octet_length(output_schema::text), 0) + octet_length(secrets::text)
      + 256 * cardinality(hosts) + 64 * cardinality(env)) STORED;
  ALTER TABLE schedules
    ADD COLUMN bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(inputs::text)) STORED;
  ALTER TABLE triggers
    ADD COLUMN bytes integer NOT NULL
      GENERATED ALWAYS AS (octet_length(filter::text) + octet_length(inputs::text)) STORED;
  ALTER TABLE approval_requests
    ADD COLUMN bytes integer NOT NULL GENERATED ALWAYS AS (
      octet_length(summary) + octet_length(input::text) + coalesce(octet_length(result::text), 0)) STORED`;

const EARLIER_SECRETS = `
  CREATE TABLE webhook_earlier_secrets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
    sealed_secret bytea NOT NULL,
    signs_until timestamptz NOT NULL
  );
  CREATE INDEX webhook_earlier_secrets_endpoint ON webhook_earlier_secrets (endpoint_id, id);
  INSERT INTO webhook_earlier_secrets (endpoint_id, sealed_secret, signs_until)
  SELECT id, previous_sealed_secret, previous_secret_until FROM webhook_endpoints
  WHERE previous_sealed_secret IS NOT NULL AND previous_secret_until > now();
  ALTER TABLE webhook_endpoints DROP COLUMN previous_sealed_secret, DROP COLUMN previous_secret_until`;
