import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What somebody asked a person to say yes to. */
export class Approvals1760000000006 implements MigrationInterface {
  name = 'Approvals1760000000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(APPROVALS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE approval_requests');
  }
}

/** A list is read by one index of whom it is for, each with and without a status. */
const APPROVALS = `
  CREATE TABLE approval_requests (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    environment_id text COLLATE "C" NOT NULL,
    action text NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    -- What the summary depends on: looked at again before it is performed.
    about text,
    -- Not jsonb, which forgets the order of the fields.
    input json NOT NULL,
    reason text NOT NULL,
    status text NOT NULL DEFAULT 'pending'
      CHECK (status IN ('pending', 'approved', 'completed', 'denied', 'failed', 'expired')),
    -- The lowest role whose yes counts.
    least_role text NOT NULL CHECK (least_role IN ('owner', 'admin', 'member')),
    -- And besides, whatever their role: the owner of this script, as long as they see it.
    script_id text COLLATE "C",
    script_owner_user_id text COLLATE "C",
    requested_by_user_id text COLLATE "C",
    -- The person who asked, or made the API key that did: not a second person.
    behind_user_id text COLLATE "C",
    credential_kind text NOT NULL
      CHECK (credential_kind IN ('session', 'personal_token', 'api_key', 'agent', 'system')),
    credential_id text COLLATE "C",
    run_id text COLLATE "C",
    secret_name text,
    secret_env_var text,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    decided_by_user_id text COLLATE "C",
    decision_reason text,
    result json
  );
  CREATE INDEX approval_requests_by_role ON approval_requests (workspace_id, least_role, id);
  CREATE INDEX approval_requests_by_role_status ON approval_requests (workspace_id, least_role, status, id);
  CREATE INDEX approval_requests_own ON approval_requests (workspace_id, requested_by_user_id, id);
  CREATE INDEX approval_requests_own_status ON approval_requests (workspace_id, requested_by_user_id, status, id);
  CREATE INDEX approval_requests_script ON approval_requests (workspace_id, script_owner_user_id, id)
    WHERE script_owner_user_id IS NOT NULL;
  CREATE INDEX approval_requests_script_status ON approval_requests (workspace_id, script_owner_user_id, status, id)
    WHERE script_owner_user_id IS NOT NULL;
  CREATE INDEX approval_requests_expiry ON approval_requests (expires_at) WHERE status IN ('pending', 'approved');
`;
