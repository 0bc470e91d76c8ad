import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SecretSources1760000000010 implements MigrationInterface {
  name = 'SecretSources1760000000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE secret_values ADD COLUMN source text, ADD COLUMN reference text,
        ADD CONSTRAINT secret_values_source_check CHECK ((source IS NULL) = (reference IS NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE secret_values DROP COLUMN source, DROP COLUMN reference');
  }
}
