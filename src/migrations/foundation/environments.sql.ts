/** Environments and secrets. */
export const ENVIRONMENTS = `
  CREATE TABLE environments (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    approval_policy text NOT NULL,
    agents_allowed boolean NOT NULL,
    is_default boolean NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    CONSTRAINT environments_approval_policy_check CHECK (approval_policy IN ('none', 'agents', 'always'))
  );
  CREATE UNIQUE INDEX environments_default ON environments (workspace_id) WHERE is_default AND deleted_at IS NULL;
  CREATE INDEX environments_list ON environments (workspace_id, id) WHERE deleted_at IS NULL;
  CREATE UNIQUE INDEX environments_name_key ON environments (workspace_id, name) WHERE deleted_at IS NULL;

  CREATE TABLE api_keys (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    environment_id text COLLATE "C" REFERENCES environments,
    name text NOT NULL,
    hash bytea NOT NULL,
    last4 text NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT api_keys_hash_key UNIQUE (hash)
  );
  CREATE INDEX api_keys_environment ON api_keys (environment_id) WHERE revoked_at IS NULL;
  CREATE INDEX api_keys_list ON api_keys (workspace_id, id) WHERE revoked_at IS NULL;

  CREATE TABLE secrets (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    name text COLLATE "C" NOT NULL,
    allow_env boolean NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT secrets_name_key UNIQUE (workspace_id, name)
  );
  CREATE INDEX secrets_list ON secrets (workspace_id, id);

  CREATE TABLE secret_values (
    secret_id text COLLATE "C" NOT NULL REFERENCES secrets ON DELETE CASCADE,
    environment_id text COLLATE "C" NOT NULL REFERENCES environments,
    sealed bytea NOT NULL,
    hosts text[] NOT NULL,
    created_by_user_id text COLLATE "C" REFERENCES users,
    updated_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    PRIMARY KEY (secret_id, environment_id)
  );
  CREATE INDEX secret_values_environment ON secret_values (environment_id, secret_id);
`;
