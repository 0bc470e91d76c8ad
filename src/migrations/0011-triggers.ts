import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which events start which scripts; and by what old invitations are found. */
export class Triggers1760000000011 implements MigrationInterface {
  name = 'Triggers1760000000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TRIGGERS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE trigger_firings, triggers; DROP INDEX invitations_expiry');
  }
}

const TRIGGERS = `
  CREATE TABLE triggers (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    environment_id text COLLATE "C" NOT NULL REFERENCES environments,
    script_id text COLLATE "C" NOT NULL REFERENCES scripts,
    name text NOT NULL,
    event_type text COLLATE "C" NOT NULL,
    -- Not jsonb, which forgets the order of what was sent.
    filter json NOT NULL,
    inputs json NOT NULL,
    enabled boolean NOT NULL DEFAULT true,
    disabled_reason text,
    by_agent boolean NOT NULL,
    -- Whom its runs are started as; null for an API key.
    created_by_user_id text COLLATE "C" REFERENCES users,
    -- Who said last what it takes from events, which must not tell them of what they may not see.
    author_user_id text COLLATE "C" REFERENCES users,
    last_fired_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK (NOT enabled OR disabled_reason IS NULL)
  ) WITH (fillfactor = 80);
  CREATE INDEX triggers_list ON triggers (environment_id, id);
  CREATE INDEX triggers_by_script ON triggers (script_id, id);
  CREATE INDEX triggers_by_event ON triggers (workspace_id, event_type) WHERE enabled;

  -- An event fires a trigger once. Goes with the event, by age.
  CREATE TABLE trigger_firings (
    event_id text COLLATE "C" NOT NULL,
    trigger_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (event_id, trigger_id)
  );

  CREATE INDEX invitations_expiry ON invitations (expires_at);
`;
