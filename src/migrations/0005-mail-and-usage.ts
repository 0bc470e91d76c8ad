import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mail that waits to be sent, and what workspaces use. */
export class MailAndUsage1760000000005 implements MigrationInterface {
  name = 'MailAndUsage1760000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MAILS);
    await runner.query(USAGE);
    await runner.query(STORAGE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER files_stored ON files;
      DROP TRIGGER files_dropped ON files;
      DROP FUNCTION count_stored_files, count_dropped_files, usage_period_start;
      DROP TABLE usage_counters;
      ALTER TABLE workspaces DROP COLUMN plan;
      DROP INDEX password_resets_person;
      DROP TABLE mails`);
  }
}

const MAILS = `
  CREATE TABLE mails (
    id text COLLATE "C" PRIMARY KEY,
    -- Recipient, subject and text, sealed by the master key: links in mail open doors.
    message bytea NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    -- When to try it next. Whoever tries it pushes this on, so that nobody else does meanwhile.
    due_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX mails_due ON mails (due_at);

  CREATE INDEX password_resets_person ON password_resets (user_id);
`;

const USAGE = `
  -- Of the operator's plans; one that is not known (any more) counts as the default one.
  ALTER TABLE workspaces ADD COLUMN plan text NOT NULL DEFAULT 'default';

  -- Gauges, which no period resets, are kept under the epoch.
  CREATE TABLE usage_counters (
    workspace_id text COLLATE "C" NOT NULL,
    meter text COLLATE "C" NOT NULL,
    period_start timestamptz NOT NULL,
    used bigint NOT NULL DEFAULT 0,
    -- When owners were told that the limit is near.
    warned_at timestamptz,
    PRIMARY KEY (workspace_id, meter, period_start)
  ) WITH (fillfactor = 50);
  CREATE INDEX usage_counters_not_warned ON usage_counters (period_start) WHERE warned_at IS NULL;

  -- When the period of a moment began, of a workspace that was made at anchor. Always counted from that day, never from
  -- the period before, which may have begun early for want of a 31st.
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
`;

const STORAGE = `
  -- Each record counts with its size, also where several are over the same bytes: each keeps them from being deleted.
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

  INSERT INTO usage_counters (workspace_id, meter, period_start, used)
  SELECT workspace_id, 'storage_bytes', 'epoch', sum(size) FROM files GROUP BY 1;
`;
