import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By what the certificates of single hosts are checked, in place of public authorities. */
export class HostAuthorities1798447000000 implements MigrationInterface {
  name = 'HostAuthorities1798447000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE host_authorities (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        created_by_user_id text COLLATE "C" REFERENCES users,
        host text NOT NULL,
        certificates text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT host_authorities_pkey PRIMARY KEY (id),
        CONSTRAINT host_authorities_host_key UNIQUE (workspace_id, host)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE host_authorities');
  }
}
