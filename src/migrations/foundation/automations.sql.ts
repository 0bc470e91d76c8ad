export const SCHEDULE_BYTES = 'octet_length(inputs::text)';
export const TRIGGER_BYTES = 'octet_length(filter::text) + octet_length(inputs::text)';

/** Schedules and triggers. */
export const AUTOMATIONS = `
  CREATE TABLE schedules (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    environment_id text COLLATE "C" NOT NULL REFERENCES environments,
    script_id text COLLATE "C" NOT NULL REFERENCES scripts,
    name text NOT NULL,
    cron text NOT NULL,
    timezone text NOT NULL,
    inputs json NOT NULL,
    enabled boolean NOT NULL DEFAULT true,
    disabled_reason text,
    by_agent boolean NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    next_run_at timestamptz,
    last_run_at timestamptz,
    last_run_id text COLLATE "C",
    bytes integer NOT NULL GENERATED ALWAYS AS (${SCHEDULE_BYTES}) STORED,
    CONSTRAINT schedules_due_check CHECK (enabled = (next_run_at IS NOT NULL)),
    CONSTRAINT schedules_reason_check CHECK ((NOT enabled) OR (disabled_reason IS NULL))
  ) WITH (fillfactor = 80);
  CREATE INDEX schedules_by_creator ON schedules (created_by_user_id) WHERE enabled;
  CREATE INDEX schedules_by_environment ON schedules (environment_id, id);
  CREATE INDEX schedules_by_script ON schedules (script_id, id);
  CREATE INDEX schedules_due ON schedules (next_run_at) WHERE next_run_at IS NOT NULL;
  CREATE INDEX schedules_list ON schedules (workspace_id, id);

  CREATE TABLE triggers (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    environment_id text COLLATE "C" NOT NULL REFERENCES environments,
    script_id text COLLATE "C" NOT NULL REFERENCES scripts,
    name text NOT NULL,
    event_type text COLLATE "C" NOT NULL,
    filter json NOT NULL,
    inputs json NOT NULL,
    enabled boolean NOT NULL DEFAULT true,
    disabled_reason text,
    by_agent boolean NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    author_user_id text COLLATE "C" REFERENCES users,
    last_fired_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    bytes integer NOT NULL GENERATED ALWAYS AS (${TRIGGER_BYTES}) STORED,
    CONSTRAINT triggers_reason_check CHECK ((NOT enabled) OR (disabled_reason IS NULL))
  ) WITH (fillfactor = 80);
  CREATE INDEX triggers_by_event ON triggers (workspace_id, event_type) WHERE enabled;
  CREATE INDEX triggers_by_script ON triggers (script_id, id);
  CREATE INDEX triggers_list ON triggers (environment_id, id);

  CREATE TABLE trigger_firings (
    event_id text COLLATE "C" NOT NULL,
    trigger_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (event_id, trigger_id)
  );
`;
