/** Workspaces, their people and keys. */
export const WORKSPACES = `
  CREATE TABLE workspaces (
    id text COLLATE "C" PRIMARY KEY,
    slug text NOT NULL,
    name text NOT NULL,
    publish_needs_second_person boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    plan text NOT NULL DEFAULT 'default'
  );
  CREATE UNIQUE INDEX workspaces_slug_key ON workspaces (slug) WHERE deleted_at IS NULL;

  CREATE TABLE workspace_keys (
    workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
    master_key_id text COLLATE "C" NOT NULL,
    sealed_key bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE memberships (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    role text NOT NULL,
    joined_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT memberships_person_key UNIQUE (user_id, workspace_id),
    CONSTRAINT memberships_role_check CHECK (role IN ('owner', 'admin', 'member', 'guest'))
  );
  CREATE INDEX memberships_list ON memberships (workspace_id, id);
  CREATE INDEX memberships_owners ON memberships (workspace_id) WHERE role = 'owner';

  CREATE TABLE invitations (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    email text NOT NULL,
    role text,
    team_ids text[] NOT NULL DEFAULT '{}',
    token_hash bytea NOT NULL,
    invited_by text COLLATE "C" REFERENCES users,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    accepted_at timestamptz,
    declined_at timestamptz,
    CONSTRAINT invitations_role_check CHECK (role IN ('owner', 'admin', 'member', 'guest')),
    CONSTRAINT invitations_token_key UNIQUE (token_hash)
  );
  CREATE UNIQUE INDEX invitations_address ON invitations (workspace_id, email)
    WHERE accepted_at IS NULL AND declined_at IS NULL;
  CREATE INDEX invitations_expiry ON invitations (expires_at);
  CREATE INDEX invitations_open ON invitations (workspace_id, id) WHERE accepted_at IS NULL AND declined_at IS NULL;

  CREATE TABLE teams (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    is_default boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT teams_name_key UNIQUE (workspace_id, name)
  );
  CREATE UNIQUE INDEX teams_default ON teams (workspace_id) WHERE is_default;
  CREATE INDEX teams_list ON teams (workspace_id, id);

  CREATE TABLE team_members (
    team_id text COLLATE "C" NOT NULL REFERENCES teams ON DELETE CASCADE,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    PRIMARY KEY (team_id, user_id)
  );
  CREATE INDEX team_members_person ON team_members (user_id, team_id);

  CREATE TABLE agent_grants (
    id text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    app_name text NOT NULL,
    scopes text[] NOT NULL,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX agent_grants_of_person ON agent_grants (user_id, workspace_id) WHERE revoked_at IS NULL;

  CREATE TABLE agent_access_tokens (
    hash bytea PRIMARY KEY,
    grant_id text COLLATE "C" NOT NULL REFERENCES agent_grants ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX agent_access_tokens_expiry ON agent_access_tokens (expires_at);
`;
