import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rules by which people are told of what goes wrong, and what they were told. */
export class Alerts1798423200000 implements MigrationInterface {
  name = 'Alerts1798423200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE alert_rules (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        created_by_user_id text COLLATE "C" REFERENCES users,
        name text NOT NULL,
        script_id text COLLATE "C" REFERENCES scripts,
        schedule_id text COLLATE "C" REFERENCES schedules ON DELETE CASCADE,
        "on" text[] NOT NULL,
        slow jsonb,
        not_succeeded_for integer,
        channel text NOT NULL,
        host text,
        sealed_url bytea,
        recipients text[] NOT NULL DEFAULT '{}',
        group_seconds integer NOT NULL,
        quiet_hours jsonb,
        enabled boolean NOT NULL DEFAULT true,
        last_success_at timestamptz NOT NULL DEFAULT now(),
        deadline_at timestamptz,
        next_message_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT alert_rules_pkey PRIMARY KEY (id),
        CONSTRAINT alert_rules_deadline_check
          CHECK (deadline_at IS NULL OR (enabled AND not_succeeded_for IS NOT NULL))
      );
      CREATE INDEX alert_rules_list ON alert_rules (workspace_id, id);
      CREATE INDEX alert_rules_overdue ON alert_rules (deadline_at) WHERE deadline_at IS NOT NULL;

      CREATE TABLE alert_sightings (
        rule_id text COLLATE "C" NOT NULL REFERENCES alert_rules ON DELETE CASCADE,
        event_id text COLLATE "C" NOT NULL,
        type text NOT NULL,
        data jsonb NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT alert_sightings_pkey PRIMARY KEY (rule_id, event_id)
      );

      CREATE TABLE alert_states (
        rule_id text COLLATE "C" NOT NULL REFERENCES alert_rules ON DELETE CASCADE,
        script_id text COLLATE "C" NOT NULL,
        failing boolean NOT NULL,
        event_id text COLLATE "C" NOT NULL,
        CONSTRAINT alert_states_pkey PRIMARY KEY (rule_id, script_id)
      );

      CREATE TABLE alert_messages (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        rule_id text COLLATE "C" NOT NULL REFERENCES alert_rules ON DELETE CASCADE,
        status text NOT NULL DEFAULT 'waiting',
        test boolean NOT NULL DEFAULT false,
        count integer NOT NULL DEFAULT 0,
        conditions jsonb NOT NULL DEFAULT '{}',
        events jsonb NOT NULL DEFAULT '[]',
        run_id text COLLATE "C",
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        attempted_at timestamptz,
        sent_at timestamptz,
        error text,
        CONSTRAINT alert_messages_pkey PRIMARY KEY (id),
        CONSTRAINT alert_messages_status_check CHECK (status IN ('waiting', 'sending', 'sent', 'failed'))
      );
      CREATE INDEX alert_messages_due ON alert_messages (due_at) WHERE status IN ('waiting', 'sending');
      CREATE INDEX alert_messages_list ON alert_messages (rule_id, id);
      CREATE INDEX alert_messages_lately ON alert_messages (workspace_id, attempted_at);
      CREATE INDEX alert_messages_created ON alert_messages (created_at);
      CREATE UNIQUE INDEX alert_messages_open ON alert_messages (rule_id) WHERE status = 'waiting' AND NOT test`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE alert_messages;
      DROP TABLE alert_states;
      DROP TABLE alert_sightings;
      DROP TABLE alert_rules`);
  }
}
