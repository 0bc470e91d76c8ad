import { type Invitation, invitationsDelete } from '@gatehouse/client/operations';
import { invitationsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';

import { confirmDestruction } from '../../../kit/confirm.js';
import { DestroyButton } from '../../../kit/destroy-button.js';
import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { Section } from '../../../kit/section.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { InvitePerson } from './invite-person.js';
import { ROLE_LABELS } from './roles.js';

export function Invitations() {
  const [opened, dialog] = useDisclosure();
  const query = usePages(invitationsListInfiniteOptions({ query: { limit: 25 } }));
  const columns = useMemo(
    (): Column<Invitation>[] => [
      {
        id: 'email',
        header: 'Address',
        cell: ({ email }) => (
          <Text size="sm" fw={600} className="user-text">
            {email}
          </Text>
        ),
      },
      { id: 'role', header: 'Role', cell: ({ role }) => ROLE_LABELS[role ?? 'member'] },
      {
        id: 'expires',
        header: 'Expires',
        align: 'right',
        cell: ({ expiresAt }) => <Moment at={expiresAt} />,
      },
      {
        id: 'actions',
        header: 'Actions',
        align: 'right',
        cell: (invitation) => <Withdraw invitation={invitation} />,
      },
    ],
    [],
  );
  return (
    <Section
      title="Invitations"
      description="Sent and not replied to yet. Each is good for seven days."
      actions={<Button onClick={dialog.open}>Invite somebody</Button>}
    >
      <Listing
        label="Invitations"
        query={query}
        columns={columns}
        empty={
          <Empty title="No open invitation">Invite a person by e-mail address to work here with you.</Empty>
        }
      />
      <FormDialog title="Invite somebody" opened={opened} onClose={dialog.close}>
        <InvitePerson onClose={dialog.close} />
      </FormDialog>
    </Section>
  );
}

function Withdraw({ invitation: { id, email } }: { invitation: Invitation }) {
  const refresh = useRefresh();
  const withdrawal = useMutation({
    mutationFn: () => invitationsDelete({ path: { id } }),
    onSuccess: async () => {
      await refresh('invitationsList');
      notifyDone(`The invitation of ${email} is withdrawn.`);
    },
    onError: notifyProblem,
  });
  return (
    <DestroyButton
      quiet
      loading={withdrawal.isPending}
      label={`Withdraw the invitation of ${email}`}
      onClick={() =>
        confirmDestruction({
          title: `Withdraw the invitation of ${email}?`,
          children: 'Its link opens nothing any more. You can invite the person again.',
          confirm: 'Withdraw',
          onConfirm: () => withdrawal.mutate(),
        })
      }
    >
      Withdraw
    </DestroyButton>
  );
}
