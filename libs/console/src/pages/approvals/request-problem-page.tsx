import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';

import { isProblem } from '../../api/problem.js';
import { useSessionState } from '../../api/session.js';
import { signOut } from '../../app/sign-out.js';
import { usePageTitle } from '../../kit/page-title.js';
import { ProblemPage } from '../../kit/problem-page.js';
import { thisPage } from '../../kit/sign-in-ways.js';
import { WholePage } from '../../kit/whole-page.js';

/** A request that is not there, or not this person's to see: the service tells no difference between the two. */
export function RequestProblemPage({ error }: ErrorComponentProps) {
  if (!isProblem(error, 'not_found') && !isProblem(error, 'forbidden')) return <ProblemPage error={error} />;
  return <NotYours />;
}

function NotYours() {
  const { user } = useSessionState();
  const here = `?${new URLSearchParams({ next: thisPage() }).toString()}`;
  usePageTitle('No such request');
  return (
    <WholePage>
      <Stack>
        <Title order={1}>You cannot see this request</Title>
        <Text>
          Only the one who asked sees a request, and those who may decide it. It may also belong to a
          workspace that you are not in, or the address is incomplete.
        </Text>
        {user && (
          <Text size="sm" c="dimmed">
            You are signed in as <span className="user-text">{user.email}</span>.{' '}
            <Anchor component="button" type="button" size="sm" onClick={() => void signOut(here)}>
              Sign in as somebody else
            </Anchor>
          </Text>
        )}
        <Group>
          <Button renderRoot={(props) => <Link to="/approvals" {...props} />}>To your approvals</Button>
        </Group>
      </Stack>
    </WholePage>
  );
}
