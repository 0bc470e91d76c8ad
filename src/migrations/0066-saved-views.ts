import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Filters of lists that people keep under a name. */
export class SavedViews1798444000000 implements MigrationInterface {
  name = 'SavedViews1798444000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE saved_views (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        created_by_user_id text COLLATE "C" REFERENCES users,
        list text NOT NULL,
        name text NOT NULL,
        search text NOT NULL,
        user_id text COLLATE "C" REFERENCES users,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT saved_views_pkey PRIMARY KEY (id),
        CONSTRAINT saved_views_list_check CHECK (list IN ('runs'))
      );
      CREATE INDEX saved_views_list ON saved_views (workspace_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_views');
  }
}
