import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By what runs are found: labels, and the words in them. */
export class RunSearch1798423300000 implements MigrationInterface {
  name = 'RunSearch1798423300000';
  /** An index beside writers is made outside of a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An attempt that was broken off may have come so far.
    await runner.query(`
      ALTER TABLE script_versions ADD COLUMN IF NOT EXISTS labels jsonb NOT NULL DEFAULT '{}';
      ALTER TABLE runs ADD COLUMN IF NOT EXISTS labels jsonb NOT NULL DEFAULT '{}';
      CREATE TABLE IF NOT EXISTS run_words (
        run_id text COLLATE "C" NOT NULL REFERENCES runs ON DELETE CASCADE,
        words tsvector NOT NULL,
        CONSTRAINT run_words_pkey PRIMARY KEY (run_id)
      );
      CREATE INDEX IF NOT EXISTS run_words_words ON run_words USING gin (words);
      CREATE TABLE IF NOT EXISTS unread_runs (
        id uuid NOT NULL,
        noted_at timestamptz NOT NULL DEFAULT now(),
        run_ids text[] NOT NULL,
        CONSTRAINT unread_runs_pkey PRIMARY KEY (id)
      )`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_labelled');
    await runner.query(`
      CREATE INDEX CONCURRENTLY runs_labelled ON runs USING gin (labels) WHERE labels <> '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_labelled');
    await runner.query(`
      DROP TABLE IF EXISTS unread_runs;
      DROP TABLE IF EXISTS run_words;
      ALTER TABLE runs DROP COLUMN IF EXISTS labels;
      ALTER TABLE script_versions DROP COLUMN IF EXISTS labels`);
  }
}
