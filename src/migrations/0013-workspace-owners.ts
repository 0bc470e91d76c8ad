import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WorkspaceOwners1795534200000 implements MigrationInterface {
  name = 'WorkspaceOwners1795534200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces ADD COLUMN owner_user_id text COLLATE "C";
      UPDATE workspaces w SET owner_user_id =
        (SELECT m.user_id FROM memberships m WHERE m.workspace_id = w.id AND m.role = 'owner' ORDER BY m.id LIMIT 1);
      ALTER TABLE workspaces
        ADD CONSTRAINT workspaces_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES users (id);
      CREATE INDEX workspaces_owner ON workspaces (owner_user_id) WHERE deleted_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN owner_user_id');
  }
}
