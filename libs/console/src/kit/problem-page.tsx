import { Button, Container, Group, Stack, Title } from '@mantine/core';

import { isProblem } from '../api/problem.js';
import { ProblemNotice } from './problem-notice.js';

/** In place of a page that could not be shown. */
export function ProblemPage({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Container size="sm" py="xl">
      <Stack>
        <Title order={1}>{heading(error)}</Title>
        <ProblemNotice error={error} />
        <Group>
          <Button onClick={() => (retry ? retry() : window.location.reload())}>Try again</Button>
          <Button variant="default" onClick={() => window.history.back()}>
            Go back
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}

function heading(error: unknown): string {
  if (!isProblem(error)) return 'This page could not be shown';
  if (error.status === 0) return 'No connection to the service';
  if (error.status === 403) return 'You may not see this';
  if (error.status === 404) return 'This does not exist';
  if (error.status === 429) return 'Too many requests';
  if (error.status === 503) return 'The service is not ready';
  return 'This page could not be shown';
}
