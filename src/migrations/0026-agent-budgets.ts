import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AgentBudgets1796200000000 implements MigrationInterface {
  name = 'AgentBudgets1796200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agents ADD COLUMN approval_policy text NOT NULL DEFAULT 'none', ADD COLUMN budget json;
      ALTER TABLE agents ADD CONSTRAINT agents_approval_policy_check CHECK (approval_policy IN ('none', 'always'));
      ALTER TABLE agent_grants ADD COLUMN budget json;
      ALTER TABLE workspaces ADD COLUMN member_budget json;
      ALTER TABLE scripts ADD COLUMN ask json;

      CREATE TABLE agent_counters (
        workspace_id text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        per text NOT NULL,
        period_start timestamptz NOT NULL,
        runs bigint NOT NULL DEFAULT 0,
        messages bigint NOT NULL DEFAULT 0,
        tokens bigint NOT NULL DEFAULT 0,
        cost bigint NOT NULL DEFAULT 0,
        reads bigint NOT NULL DEFAULT 0,
        warned_at timestamptz,
        CONSTRAINT agent_counters_pkey PRIMARY KEY (workspace_id, subject, per, period_start),
        CONSTRAINT agent_counters_per_check CHECK (per IN ('day', 'month'))
      );
      CREATE INDEX agent_counters_age ON agent_counters (period_start)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE agent_counters;
      ALTER TABLE scripts DROP COLUMN ask;
      ALTER TABLE workspaces DROP COLUMN member_budget;
      ALTER TABLE agent_grants DROP COLUMN budget;
      ALTER TABLE agents DROP COLUMN approval_policy, DROP COLUMN budget`);
  }
}
