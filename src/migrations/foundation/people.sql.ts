/** People, and what they sign in with. */
export const PEOPLE = `
  CREATE TABLE users (
    id text COLLATE "C" PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_email_key UNIQUE (email)
  );

  CREATE TABLE sessions (
    hash bytea PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    id text COLLATE "C" NOT NULL,
    address text,
    user_agent text,
    last_used_at timestamptz NOT NULL DEFAULT now(),
    confirmed_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX sessions_expiry ON sessions (expires_at);
  CREATE UNIQUE INDEX sessions_id ON sessions (id);
  CREATE INDEX sessions_person ON sessions (user_id, id);

  CREATE TABLE password_resets (
    hash bytea PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  );
  CREATE INDEX password_resets_person ON password_resets (user_id);

  CREATE TABLE personal_tokens (
    id text COLLATE "C" PRIMARY KEY,
    user_id text COLLATE "C" NOT NULL REFERENCES users,
    name text NOT NULL,
    scopes text[] NOT NULL,
    workspace_ids text[],
    hash bytea NOT NULL,
    last4 text NOT NULL,
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT personal_tokens_hash_key UNIQUE (hash)
  );
  CREATE INDEX personal_tokens_list ON personal_tokens (user_id, id) WHERE revoked_at IS NULL;
`;
