import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Growth1795966200000 implements MigrationInterface {
  name = 'Growth1795966200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN disabled_at timestamptz;
      ALTER TABLE audit_events ALTER COLUMN workspace_id DROP NOT NULL;

      -- What has been kept for a year may be deleted, if the operator wants no more. ALWAYS, so that no session role turns it off.
      DROP TRIGGER audit_events_append_only ON audit_events;
      CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_audit_events();
      ALTER TABLE audit_events ENABLE ALWAYS TRIGGER audit_events_append_only;
      CREATE FUNCTION refuse_to_delete_young_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM gone WHERE created_at > now() - interval '365 days') THEN
          RAISE EXCEPTION 'The audit trail is append-only: DELETE of an entry of the last 365 days is refused.'
            USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER audit_events_kept AFTER DELETE ON audit_events REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_delete_young_audit_events();
      ALTER TABLE audit_events ENABLE ALWAYS TRIGGER audit_events_kept;

      CREATE TABLE log_expiry (
        plan text NOT NULL,
        run_id text COLLATE "C" NOT NULL,
        CONSTRAINT log_expiry_pkey PRIMARY KEY (plan)
      );

      CREATE TABLE log_levels (
        subject text COLLATE "C" NOT NULL,
        level text NOT NULL,
        until timestamptz NOT NULL,
        CONSTRAINT log_levels_pkey PRIMARY KEY (subject)
      );

      CREATE TABLE log_sinks (
        id text COLLATE "C" NOT NULL,
        wanted_until timestamptz NOT NULL,
        last_number bigint NOT NULL DEFAULT 0,
        worker_id text COLLATE "C",
        lease_until timestamptz,
        CONSTRAINT log_sinks_pkey PRIMARY KEY (id)
      );
      CREATE TABLE log_sink_entries (
        id text COLLATE "C" NOT NULL,
        number bigint,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT log_sink_entries_pkey PRIMARY KEY (id)
      );
      CREATE INDEX log_sink_entries_age ON log_sink_entries (created_at);
      CREATE UNIQUE INDEX log_sink_entries_number ON log_sink_entries (number) WHERE number IS NOT NULL;
      CREATE INDEX log_sink_entries_new ON log_sink_entries (id) WHERE number IS NULL;
      CREATE FUNCTION queue_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM log_sinks WHERE wanted_until > now()) THEN
          INSERT INTO log_sink_entries (id) SELECT id FROM made;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER audit_events_queued AFTER INSERT ON audit_events REFERENCING NEW TABLE AS made
        FOR EACH STATEMENT EXECUTE FUNCTION queue_audit_events()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER audit_events_queued ON audit_events;
      DROP FUNCTION queue_audit_events;
      DROP TABLE log_sink_entries, log_sinks, log_levels, log_expiry;
      DROP TRIGGER audit_events_kept ON audit_events;
      DROP FUNCTION refuse_to_delete_young_audit_events;
      DROP TRIGGER audit_events_append_only ON audit_events;
      CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_audit_events();
      ALTER TABLE audit_events ENABLE ALWAYS TRIGGER audit_events_append_only;
      ALTER TABLE audit_events ALTER COLUMN workspace_id SET NOT NULL;
      ALTER TABLE users DROP COLUMN disabled_at`);
  }
}
