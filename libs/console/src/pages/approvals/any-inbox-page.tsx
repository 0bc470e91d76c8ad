import { type WorkspaceOfUser, approvalsList } from '@gatehouse/client/operations';
import { Anchor, Badge, Group, NavLink, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';

import { DEFAULT_ENVIRONMENT } from '../../api/place.js';
import { useUser } from '../../api/session.js';
import { homePlace } from '../../app/places.js';
import { PlainFrame } from '../../app/plain-frame.js';
import { usePageTitle } from '../../kit/page-title.js';
import { waitsForMe } from './approval.js';

/** Reached from a mail that names no workspace: the only inbox there is, or how many wait in each. */
export function AnyInboxPage() {
  const user = useUser();
  const [only, ...others] = user.workspaces.filter(({ role }) => role !== 'guest');
  usePageTitle('Approvals');
  if (only && others.length === 0) {
    return <Navigate to="/w/$workspace/$environment/approvals" params={placeIn(only)} replace />;
  }
  return (
    <PlainFrame
      back={
        homePlace(user) && (
          <Anchor size="sm" renderRoot={(props) => <Link to="/" {...props} />}>
            Your scripts
          </Anchor>
        )
      }
    >
      <Stack>
        <Title order={1}>Approvals</Title>
        {only ? (
          <Text c="dimmed" size="sm">
            You are in several workspaces. Each has its own.
          </Text>
        ) : (
          <Text>You are a guest in your workspaces, and guests decide nothing.</Text>
        )}
        <nav aria-label="Workspaces">
          {only && [only, ...others].map((workspace) => <Inbox key={workspace.id} workspace={workspace} />)}
        </nav>
      </Stack>
    </PlainFrame>
  );
}

const MOST = 100;

function Inbox({ workspace }: { workspace: WorkspaceOfUser }) {
  const { slug, name } = workspace;
  const { data: count } = useQuery({
    queryKey: ['waiting', slug],
    queryFn: async () => {
      const headers = { 'x-workspace': slug };
      const { data } = await approvalsList({ query: { status: 'pending', limit: MOST }, headers });
      return data.items.filter(waitsForMe).length;
    },
  });
  return (
    <NavLink
      label={<span className="user-text">{name}</span>}
      rightSection={
        <Group gap="xs" mih={24}>
          {count !== undefined && count > 0 && (
            <Badge tt="none" radius="sm">
              {count === MOST ? `${MOST} or more` : count} waiting
            </Badge>
          )}
          {count === 0 && (
            <Text size="sm" c="dimmed">
              nothing waits
            </Text>
          )}
        </Group>
      }
      renderRoot={(props) => (
        <Link to="/w/$workspace/$environment/approvals" params={placeIn(workspace)} {...props} />
      )}
    />
  );
}

function placeIn({ slug }: WorkspaceOfUser) {
  return { workspace: slug, environment: DEFAULT_ENVIRONMENT };
}
