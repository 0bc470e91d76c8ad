import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An incident is a script in an environment. Both tables are newer than the last release. */
export class AlertIncidents1798452000000 implements MigrationInterface {
  name = 'AlertIncidents1798452000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE alert_states ADD COLUMN environment_id text COLLATE "C" NOT NULL DEFAULT '';
      ALTER TABLE alert_states ALTER environment_id DROP DEFAULT;
      ALTER TABLE alert_states DROP CONSTRAINT alert_states_pkey;
      ALTER TABLE alert_states ADD CONSTRAINT alert_states_pkey PRIMARY KEY (rule_id, script_id, environment_id);
      ALTER TABLE alert_messages ADD COLUMN incident text COLLATE "C" NOT NULL DEFAULT '';
      DROP INDEX alert_messages_open;
      CREATE UNIQUE INDEX alert_messages_open ON alert_messages (rule_id, incident) WHERE status = 'waiting' AND NOT test`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM alert_messages WHERE incident <> '' AND status = 'waiting';
      DROP INDEX alert_messages_open;
      ALTER TABLE alert_messages DROP COLUMN incident;
      CREATE UNIQUE INDEX alert_messages_open ON alert_messages (rule_id) WHERE status = 'waiting' AND NOT test;
      DELETE FROM alert_states;
      ALTER TABLE alert_states DROP COLUMN environment_id;
      ALTER TABLE alert_states ADD CONSTRAINT alert_states_pkey PRIMARY KEY (rule_id, script_id)`);
  }
}
