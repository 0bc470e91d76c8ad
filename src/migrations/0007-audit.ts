import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The audit trail is only ever added to: the database itself refuses to change it, whoever asks and by whatever path.
 * The filters of its list have an index each.
 */
export class Audit1760000000007 implements MigrationInterface {
  name = 'Audit1760000000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX audit_events_by_action ON audit_events (workspace_id, action, id);
      CREATE INDEX audit_events_by_actor ON audit_events (workspace_id, actor_user_id, id)
        WHERE actor_user_id IS NOT NULL;

      CREATE FUNCTION refuse_to_change_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The audit trail is append-only: % on audit_events is refused.', TG_OP
          USING ERRCODE = 'insufficient_privilege',
                HINT = 'Entries are neither corrected nor removed. Record a new one that says what was wrong.';
      END $$;

      -- For each statement, so that not even one that finds no row passes; ALWAYS, so that no session role turns it off.
      CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_audit_events();
      ALTER TABLE audit_events ENABLE ALWAYS TRIGGER audit_events_append_only;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER audit_events_append_only ON audit_events;
      DROP FUNCTION refuse_to_change_audit_events();
      DROP INDEX audit_events_by_action, audit_events_by_actor;
    `);
  }
}
