import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FormerRules1795707000000 implements MigrationInterface {
  name = 'FormerRules1795707000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE former_environments (
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        name text NOT NULL,
        approval_policy text NOT NULL,
        agents_allowed boolean NOT NULL,
        PRIMARY KEY (workspace_id, name),
        CONSTRAINT former_environments_approval_policy_check CHECK (approval_policy IN ('none', 'agents', 'always'))
      );
      INSERT INTO former_environments (workspace_id, name, approval_policy, agents_allowed)
        SELECT DISTINCT ON (workspace_id, name) workspace_id, name, approval_policy, agents_allowed
        FROM environments WHERE deleted_at IS NOT NULL ORDER BY workspace_id, name, deleted_at DESC;
      CREATE TABLE former_secrets (
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        name text NOT NULL,
        environment_id text COLLATE "C" NOT NULL REFERENCES environments,
        hosts text[] NOT NULL,
        allow_env boolean NOT NULL,
        PRIMARY KEY (workspace_id, name, environment_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE former_secrets; DROP TABLE former_environments');
  }
}
