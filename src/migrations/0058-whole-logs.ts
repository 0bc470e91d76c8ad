import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lines of long logs, in the file store. They count as the bytes of files do. */
export class WholeLogs1798424402000 implements MigrationInterface {
  name = 'WholeLogs1798424402000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE run_log_parts (
        run_id text COLLATE "C" NOT NULL REFERENCES runs ON DELETE CASCADE,
        first_line integer NOT NULL,
        lines integer NOT NULL,
        workspace_id text COLLATE "C" NOT NULL,
        size bigint NOT NULL,
        blob_key text COLLATE "C" NOT NULL REFERENCES file_blobs,
        CONSTRAINT run_log_parts_pkey PRIMARY KEY (run_id, first_line)
      );
      CREATE INDEX run_log_parts_by_blob ON run_log_parts (blob_key);
      CREATE TRIGGER run_log_parts_stored AFTER INSERT ON run_log_parts REFERENCING NEW TABLE AS stored
        FOR EACH STATEMENT EXECUTE FUNCTION count_stored_files();
      CREATE TRIGGER run_log_parts_dropped AFTER DELETE ON run_log_parts REFERENCING OLD TABLE AS dropped
        FOR EACH STATEMENT EXECUTE FUNCTION count_dropped_files()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE run_log_parts');
  }
}
