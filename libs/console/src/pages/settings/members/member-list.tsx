import { type Member, membersUpdate } from '@gatehouse/client/operations';
import { membersListInfiniteOptions } from '@gatehouse/client/react-query';
import { Group, Select, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';

import { refreshSession, useUser } from '../../../api/session.js';
import { AuditLink } from '../../../app/audit-link.js';
import { type Role, useRights } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { RemoveMember } from './remove-member.js';
import { ROLE_LABELS, mayChange, rolesGivenBy } from './roles.js';

export function MemberList() {
  const query = usePages(membersListInfiniteOptions({ query: { limit: 50 } }));
  const user = useUser();
  const columns = useMemo(
    (): Column<Member>[] => [
      {
        id: 'name',
        header: 'Person',
        cell: ({ name, email, userId }) => (
          <>
            <Text fw={600} size="sm" className="user-text">
              {name}
              {userId === user.id && ' (you)'}
            </Text>
            <Text size="sm" c="dimmed" className="user-text">
              {email}
            </Text>
          </>
        ),
      },
      { id: 'role', header: 'Role', cell: (member) => <RoleOf member={member} /> },
      {
        id: 'joined',
        header: 'Joined',
        wideOnly: true,
        align: 'right',
        cell: ({ joinedAt }) => <Moment at={joinedAt} />,
      },
      {
        id: 'actions',
        header: 'Actions',
        align: 'right',
        cell: (member) => (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            <AuditLink target={member.id} of={member.name} />
            <RemoveMember member={member} />
          </Group>
        ),
      },
    ],
    [user.id],
  );
  return <Listing label="Members" query={query} columns={columns} empty={<Empty title="Nobody is here" />} />;
}

function RoleOf({ member }: { member: Member }) {
  const { role } = useRights();
  const user = useUser();
  const refresh = useRefresh();
  const change = useMutation({
    mutationFn: (next: Role) => membersUpdate({ path: { memberId: member.id }, body: { role: next } }),
    onSuccess: async (_, next) => {
      notifyDone(`${member.name} is ${ROLE_LABELS[next].toLowerCase()} now.`);
      await refresh('membersList', 'teamsList');
      if (member.userId === user.id) await refreshSession();
    },
    onError: notifyProblem,
  });
  if (!mayChange(role, member.role)) return <Text size="sm">{ROLE_LABELS[member.role]}</Text>;
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      size="xs"
      w={116}
      allowDeselect={false}
      disabled={change.isPending}
      data={rolesGivenBy(role).map((value) => ({ value, label: ROLE_LABELS[value] }))}
      value={member.role}
      onChange={(next) => next && next !== member.role && change.mutate(next as Role)}
    />
  );
}
