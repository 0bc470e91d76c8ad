import { type Team, teamsCreate, teamsDelete } from '@gatehouse/client/operations';
import { teamsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Badge, Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { useRights } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { counted } from '../../../kit/counted.js';
import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { Page } from '../../../kit/page.js';
import { RowMenu } from '../../../kit/row-menu.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { RenameTeam } from './rename-team.js';
import { TeamMembers } from './team-members.js';
import { TeamNameForm } from './team-name-form.js';

export function TeamsPage() {
  const { administers } = useRights();
  const [opened, dialog] = useDisclosure();
  const query = usePages(teamsListInfiniteOptions({ query: { limit: 50 } }));
  const refresh = useRefresh();
  const columns = useMemo(
    (): Column<Team>[] => [
      {
        id: 'name',
        header: 'Team',
        cell: ({ name, isDefault }) => (
          <Group gap="xs">
            <Text size="sm" fw={600} className="user-text">
              {name}
            </Text>
            {isDefault && (
              <Badge variant="default" tt="none" fw={500}>
                everyone but guests
              </Badge>
            )}
          </Group>
        ),
      },
      {
        id: 'members',
        header: 'Members',
        align: 'right',
        cell: ({ memberIds }) => counted(memberIds.length, 'member'),
      },
      {
        id: 'created',
        header: 'Made',
        align: 'right',
        wideOnly: true,
        cell: ({ createdAt }) => <Moment at={createdAt} />,
      },
      { id: 'actions', header: 'Actions', align: 'right', cell: (team) => <TeamActions team={team} /> },
    ],
    [],
  );
  return (
    <Page
      title="Teams"
      description="A script can be open to some teams alone."
      actions={administers && <Button onClick={dialog.open}>New team</Button>}
    >
      <Listing label="Teams" query={query} columns={columns} empty={<Empty title="No team yet" />} />
      <FormDialog title="New team" opened={opened} onClose={dialog.close}>
        <TeamNameForm
          submitLabel="Make the team"
          save={(name) => teamsCreate({ body: { name } })}
          onSaved={() => {
            notifyDone('The team is made. Nobody is in it yet.');
            void refresh('teamsList');
          }}
          onClose={dialog.close}
        />
      </FormDialog>
    </Page>
  );
}

function TeamActions({ team }: { team: Team }) {
  const { administers } = useRights();
  const [shown, setShown] = useState<'members' | 'name' | null>(null);
  const refresh = useRefresh();
  const close = (): void => setShown(null);
  const deletion = useMutation({
    mutationFn: () => teamsDelete({ path: { id: team.id } }),
    onSuccess: async () => {
      await refresh('teamsList');
      notifyDone(`The team ${team.name} is deleted.`);
    },
    onError: notifyProblem,
  });
  const askDeletion = (): void =>
    confirmDestruction({
      title: `Delete the team ${team.name}?`,
      children:
        'Scripts and open invitations that name it lose it. A script that was open to this team alone is ' +
        'seen by owners and admins only, until it is opened again. Nobody leaves the workspace.',
      confirm: 'Delete the team',
      onConfirm: () => deletion.mutate(),
    });
  return (
    <>
      <RowMenu label={`Actions for the team ${team.name}`}>
        <Menu.Item onClick={() => setShown('members')}>Members</Menu.Item>
        {administers && <Menu.Item onClick={() => setShown('name')}>Rename</Menu.Item>}
        {administers && !team.isDefault && (
          <Menu.Item c="var(--mantine-color-error)" onClick={askDeletion}>
            Delete
          </Menu.Item>
        )}
      </RowMenu>
      <FormDialog title={`Members of ${team.name}`} opened={shown === 'members'} onClose={close}>
        <TeamMembers team={team} />
      </FormDialog>
      <FormDialog title={`Rename ${team.name}`} opened={shown === 'name'} onClose={close}>
        <RenameTeam team={team} onClose={close} />
      </FormDialog>
    </>
  );
}
