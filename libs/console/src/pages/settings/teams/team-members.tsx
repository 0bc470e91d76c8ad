import { type Team, teamsAddMember, teamsRemoveMember } from '@gatehouse/client/operations';
import { Checkbox, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { everybodyQuery } from '../../../app/use-people.js';
import { useRights } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useRefresh } from '../../../kit/use-refresh.js';

const SEARCHED_FROM = 8;

/** Who is in a team. Each tick counts at once. */
export function TeamMembers({ team }: { team: Team }) {
  const { administers } = useRights();
  const refresh = useRefresh();
  const [sought, setSought] = useState('');
  const members = useQuery(everybodyQuery());
  const change = useMutation({
    mutationFn: async ({ userId, joins }: { userId: string; joins: boolean }) => {
      const path = { id: team.id, userId };
      await (joins ? teamsAddMember({ path }) : teamsRemoveMember({ path }));
    },
    onSettled: () => refresh('teamsList'),
  });

  if (members.isPending) return <Skeleton height={160} aria-hidden />;
  if (members.isError) return <ProblemNotice error={members.error} onRetry={members.refetch} />;
  const mayChange = administers && !team.isDefault;
  const people = members.data.filter(({ userId, name, email }) => {
    const matches = `${name} ${email}`.toLowerCase().includes(sought.toLowerCase());
    return matches && (mayChange || team.memberIds.includes(userId));
  });
  return (
    <Stack gap="sm">
      {team.isDefault && (
        <Text size="sm" c="dimmed">
          Everybody but guests is in this team, without being put into it.
        </Text>
      )}
      {members.data.length >= SEARCHED_FROM && (
        <TextInput
          aria-label="Find a person"
          placeholder="Find a person"
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      )}
      {change.isError && <ProblemNotice error={change.error} />}
      {people.length === 0 && <Empty title="Nobody" />}
      {people.map(({ userId, name, email }) =>
        mayChange ? (
          <Checkbox
            key={userId}
            label={<span className="user-text">{name}</span>}
            description={<span className="user-text">{email}</span>}
            checked={team.memberIds.includes(userId)}
            disabled={change.isPending && change.variables.userId === userId}
            onChange={(event) => change.mutate({ userId, joins: event.currentTarget.checked })}
          />
        ) : (
          <Text key={userId} size="sm" className="user-text">
            {name}{' '}
            <Text span c="dimmed" size="sm">
              {email}
            </Text>
          </Text>
        ),
      )}
    </Stack>
  );
}
