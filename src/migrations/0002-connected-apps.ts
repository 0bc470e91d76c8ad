import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the authorization server remembers, and what is shown of an app that somebody connected. */
export class ConnectedApps1795337290223 implements MigrationInterface {
  name = 'ConnectedApps1795337290223';

  async up(runner: QueryRunner): Promise<void> {
    // Until now only tests could make grants, and those say nothing of their client.
    await runner.query('DELETE FROM agent_grants');
    await runner.query(`
      ALTER TABLE agent_grants
        ADD client_id text NOT NULL,
        ADD client_uri text,
        ADD redirect_host text,
        ADD environment_id text COLLATE "C" REFERENCES environments,
        ADD last_used_at timestamptz,
        ADD expires_at timestamptz`);
    await runner.query('DROP INDEX agent_grants_of_person');
    await runner.query(
      'CREATE INDEX agent_grants_list ON agent_grants (user_id, id) WHERE revoked_at IS NULL',
    );
    await runner.query(`
      CREATE TABLE oauth_artifacts (
        kind text NOT NULL,
        hash bytea NOT NULL,
        payload bytea NOT NULL,
        grant_id text COLLATE "C" REFERENCES agent_grants ON DELETE CASCADE,
        user_code_hash bytea,
        consumed_at timestamptz,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (kind, hash),
        CONSTRAINT oauth_artifacts_user_code UNIQUE (user_code_hash)
      )`);
    await runner.query('CREATE INDEX oauth_artifacts_expiry ON oauth_artifacts (expires_at)');
    await runner.query(
      'CREATE INDEX oauth_artifacts_grant ON oauth_artifacts (grant_id) WHERE grant_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_artifacts');
    await runner.query('DROP INDEX agent_grants_list');
    await runner.query(`
      ALTER TABLE agent_grants
        DROP client_id, DROP client_uri, DROP redirect_host, DROP environment_id, DROP last_used_at, DROP expires_at`);
    await runner.query(
      'CREATE INDEX agent_grants_of_person ON agent_grants (user_id, workspace_id) WHERE revoked_at IS NULL',
    );
  }
}
