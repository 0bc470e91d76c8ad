import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';

import { isProblem } from '../api/problem.js';
import { usePageTitle } from './page-title.js';
import { ProblemNotice } from './problem-notice.js';
import { WholePage } from './whole-page.js';

/** In place of a page that could not be shown: what went wrong, and what to do about it. */
export function ProblemPage({ error, retry }: { error: unknown; retry?: () => void }) {
  const router = useRouter();
  const { heading, advice } = explained(error);
  usePageTitle(heading);
  const again = (): void => {
    if (isOldCode(error)) return location.reload();
    retry?.();
    void router.invalidate();
  };
  return (
    <WholePage>
      <Stack>
        <Title order={1}>{heading}</Title>
        <Text>{advice}</Text>
        <ProblemNotice error={error} />
        <Group>
          <Button onClick={again}>Try again</Button>
          <Button variant="default" onClick={() => router.history.back()}>
            Go back
          </Button>
        </Group>
      </Stack>
    </WholePage>
  );
}

interface Explained {
  heading: string;
  advice: string;
}

const BY_STATUS: Record<number, Explained> = {
  0: {
    heading: 'No connection to the service',
    advice: 'Check your network. If others reach it, wait a moment: it may be starting anew.',
  },
  403: {
    heading: 'You may not see this',
    advice:
      'An owner or admin of the workspace can change what you may do. Are you signed in as the right person?',
  },
  404: {
    heading: 'This does not exist',
    advice: 'It may have been deleted or moved, or it belongs to a workspace that you are not in.',
  },
  409: {
    heading: 'Somebody was faster',
    advice: 'It has changed since this page was opened. Try again to see it as it is now.',
  },
  429: {
    heading: 'Too many requests',
    advice: 'The service takes only so many in a while, from you or from your network. Wait, then try again.',
  },
  503: {
    heading: 'The service is not ready',
    advice: 'It is starting, or has more to do than it can. Try again in a moment.',
  },
};

const OTHERWISE: Explained = {
  heading: 'This page could not be shown',
  advice: 'Try again. If it stays so, tell whoever runs this Gatehouse what stands below.',
};

/** What a browser says where a part of the page's code is gone: the service has a newer console. */
function isOldCode(error: unknown): boolean {
  return error instanceof Error && /imported module|module script|preload CSS/i.test(error.message);
}

function explained(error: unknown): Explained {
  return (isProblem(error) && BY_STATUS[error.status]) || OTHERWISE;
}
