import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ExtensionMigrations1760000000008 implements MigrationInterface {
  name = 'ExtensionMigrations1760000000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE extension_migrations (
        extension text NOT NULL,
        name text NOT NULL,
        ran_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (extension, name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE extension_migrations');
  }
}
