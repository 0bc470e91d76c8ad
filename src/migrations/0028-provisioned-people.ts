import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProvisionedPeople1796800000000 implements MigrationInterface {
  name = 'ProvisionedPeople1796800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE scim_users (
        user_id text COLLATE "C" NOT NULL,
        way text NOT NULL,
        user_name text NOT NULL,
        user_name_key text NOT NULL,
        external_id text,
        email_key text,
        profile jsonb NOT NULL DEFAULT '{}',
        active boolean NOT NULL DEFAULT true,
        disabled_account boolean NOT NULL DEFAULT false,
        deleted_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT scim_users_pkey PRIMARY KEY (user_id),
        CONSTRAINT scim_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
        CONSTRAINT scim_users_profile_check CHECK (octet_length(profile::text) <= 20000)
      );
      CREATE UNIQUE INDEX scim_users_name ON scim_users (way, user_name_key) WHERE deleted_at IS NULL;
      CREATE INDEX scim_users_external_id ON scim_users (way, external_id) WHERE deleted_at IS NULL;
      CREATE INDEX scim_users_email ON scim_users (way, email_key) WHERE deleted_at IS NULL;
      CREATE INDEX scim_users_list ON scim_users (way, user_id) WHERE deleted_at IS NULL;

      CREATE TABLE scim_groups (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        way text NOT NULL,
        display_name text NOT NULL,
        display_name_key text NOT NULL,
        external_id text,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT scim_groups_pkey PRIMARY KEY (id),
        CONSTRAINT scim_groups_name_key UNIQUE (way, display_name_key)
      );
      CREATE INDEX scim_groups_external_id ON scim_groups (way, external_id);
      CREATE INDEX scim_groups_list ON scim_groups (way, id);

      CREATE TABLE scim_group_members (
        group_id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        CONSTRAINT scim_group_members_pkey PRIMARY KEY (group_id, user_id),
        CONSTRAINT scim_group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES scim_groups (id) ON DELETE CASCADE,
        CONSTRAINT scim_group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES scim_users (user_id)
      );
      CREATE INDEX scim_group_members_person ON scim_group_members (user_id, group_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE scim_group_members, scim_groups, scim_users');
  }
}
