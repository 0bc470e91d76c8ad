export const REQUEST_BYTES =
  'octet_length(summary) + octet_length(input::text) + coalesce(octet_length(result::text), 0)';

/** Approvals, and the record of who did what. */
export const DECISIONS = `
  CREATE TABLE approval_requests (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    environment_id text COLLATE "C" NOT NULL,
    action text NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    about text,
    input json NOT NULL,
    reason text NOT NULL,
    status text NOT NULL DEFAULT 'pending',
    least_role text NOT NULL,
    script_id text COLLATE "C",
    script_owner_user_id text COLLATE "C",
    requested_by_user_id text COLLATE "C",
    behind_user_id text COLLATE "C",
    credential_kind text NOT NULL,
    credential_id text COLLATE "C",
    run_id text COLLATE "C",
    secret_name text,
    secret_env_var text,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    decided_by_user_id text COLLATE "C",
    decision_reason text,
    result json,
    asker_last boolean NOT NULL DEFAULT false,
    bytes integer NOT NULL GENERATED ALWAYS AS (${REQUEST_BYTES}) STORED,
    CONSTRAINT approval_requests_credential_kind_check CHECK (credential_kind IN ('session', 'personal_token', 'api_key', 'agent', 'system')),
    CONSTRAINT approval_requests_least_role_check CHECK (least_role IN ('owner', 'admin', 'member')),
    CONSTRAINT approval_requests_status_check CHECK (status IN ('pending', 'approved', 'completed', 'denied', 'failed', 'expired'))
  );
  CREATE INDEX approval_requests_by_role ON approval_requests (workspace_id, least_role, id);
  CREATE INDEX approval_requests_by_role_status ON approval_requests (workspace_id, least_role, status, id);
  CREATE INDEX approval_requests_expiry ON approval_requests (expires_at) WHERE status IN ('pending', 'approved');
  CREATE INDEX approval_requests_own ON approval_requests (workspace_id, requested_by_user_id, id);
  CREATE INDEX approval_requests_own_status ON approval_requests (workspace_id, requested_by_user_id, status, id);
  CREATE INDEX approval_requests_script ON approval_requests (workspace_id, script_owner_user_id, id)
    WHERE script_owner_user_id IS NOT NULL;
  CREATE INDEX approval_requests_script_status ON approval_requests (workspace_id, script_owner_user_id, status, id)
    WHERE script_owner_user_id IS NOT NULL;

  CREATE TABLE audit_events (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    action text NOT NULL,
    actor_type text NOT NULL,
    actor_user_id text COLLATE "C",
    credential_type text,
    credential_name text,
    target_type text,
    target_id text COLLATE "C",
    details jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT audit_events_actor_type_check CHECK (actor_type IN ('user', 'staff', 'system', 'api_key'))
  );
  CREATE INDEX audit_events_by_action ON audit_events (workspace_id, action, id);
  CREATE INDEX audit_events_by_actor ON audit_events (workspace_id, actor_user_id, id)
    WHERE actor_user_id IS NOT NULL;
  CREATE INDEX audit_events_list ON audit_events (workspace_id, id);

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

  CREATE TABLE usage_counters (
    workspace_id text COLLATE "C" NOT NULL,
    meter text COLLATE "C" NOT NULL,
    period_start timestamptz NOT NULL,
    used bigint NOT NULL DEFAULT 0,
    warned_at timestamptz,
    PRIMARY KEY (workspace_id, meter, period_start)
  ) WITH (fillfactor = 50);
  CREATE INDEX usage_counters_not_warned ON usage_counters (period_start) WHERE warned_at IS NULL;

  -- When the period of a moment began, for a workspace that was made at anchor. Counted from that day each time, never
  -- from the period before, which may have begun early for want of a 31st.
  CREATE FUNCTION usage_period_start(anchor timestamptz, moment timestamptz) RETURNS timestamptz
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    first date := (anchor AT TIME ZONE 'UTC')::date;
    today date := (moment AT TIME ZONE 'UTC')::date;
    months integer := (extract(year FROM today) - extract(year FROM first)) * 12
      + extract(month FROM today) - extract(month FROM first);
  BEGIN
    IF (first + make_interval(months => months))::date > today THEN
      months := months - 1;
    END IF;
    RETURN (first + make_interval(months => months)) AT TIME ZONE 'UTC';
  END $$;

  -- Each record of a file counts with its size, also where several have the same bytes: each keeps them from being deleted.
  CREATE FUNCTION count_stored_files() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO usage_counters AS u (workspace_id, meter, period_start, used)
    SELECT workspace_id, 'storage_bytes', 'epoch', sum(size) FROM stored GROUP BY 1 ORDER BY 1
    ON CONFLICT (workspace_id, meter, period_start) DO UPDATE SET used = u.used + excluded.used;
    RETURN NULL;
  END $$;

  CREATE FUNCTION count_dropped_files() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO usage_counters AS u (workspace_id, meter, period_start, used)
    SELECT workspace_id, 'storage_bytes', 'epoch', -sum(size) FROM dropped GROUP BY 1 ORDER BY 1
    ON CONFLICT (workspace_id, meter, period_start) DO UPDATE SET used = u.used + excluded.used;
    RETURN NULL;
  END $$;

  CREATE TRIGGER files_stored AFTER INSERT ON files REFERENCING NEW TABLE AS stored
    FOR EACH STATEMENT EXECUTE FUNCTION count_stored_files();
  CREATE TRIGGER files_dropped AFTER DELETE ON files REFERENCING OLD TABLE AS dropped
    FOR EACH STATEMENT EXECUTE FUNCTION count_dropped_files();
`;
