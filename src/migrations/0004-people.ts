import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What inviting, teams and changes of roles are looked up by. */
export class People1760000000004 implements MigrationInterface {
  name = 'People1760000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PEOPLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX invitations_address, memberships_owners, teams_list, agent_grants_of_person',
    );
  }
}

const PEOPLE = `
  -- One that has expired is deleted when the address is invited anew.
  CREATE UNIQUE INDEX invitations_address ON invitations (workspace_id, email)
    WHERE accepted_at IS NULL AND declined_at IS NULL;

  CREATE INDEX memberships_owners ON memberships (workspace_id) WHERE role = 'owner';

  CREATE INDEX teams_list ON teams (workspace_id, id);

  CREATE INDEX agent_grants_of_person ON agent_grants (user_id, workspace_id) WHERE revoked_at IS NULL;
`;
