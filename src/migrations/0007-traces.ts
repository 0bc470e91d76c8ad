import type { MigrationInterface, QueryRunner } from 'typeorm';

const FORM = `"traceparent" ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$'`;

/** Where the trace of a run and of an event goes on. Those that are there belong to none. */
export class Traces1795357800000 implements MigrationInterface {
  name = 'Traces1795357800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['runs', 'events']) {
      await runner.query(`ALTER TABLE "${table}" ADD "traceparent" text`);
      await runner.query(
        `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_traceparent_check" CHECK (${FORM})`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['events', 'runs']) {
      await runner.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${table}_traceparent_check"`);
      await runner.query(`ALTER TABLE "${table}" DROP COLUMN "traceparent"`);
    }
  }
}
