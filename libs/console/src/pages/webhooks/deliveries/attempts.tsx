import type { WebhookAttempt } from '@gatehouse/client/operations';
import { deliveriesAttemptsInfiniteOptions } from '@gatehouse/client/react-query';
import { Box, Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core';

import { Moment, durationText } from '../../../kit/moment.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { usePages } from '../../../kit/use-pages.js';
import { LastStatus } from '../last-status.js';

/** Each attempt of a delivery, and what came back. */
export function Attempts({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) {
  const query = usePages(
    deliveriesAttemptsInfiniteOptions({ path: { endpointId, deliveryId }, query: { limit: 25 } }),
  );
  if (query.isPending) return <Skeleton height={48} aria-hidden />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={query.refetch} />;
  const attempts = query.data.pages.flatMap(({ items }) => items);
  if (attempts.length === 0) return <Text size="sm">No attempt yet.</Text>;
  return (
    <Stack gap="sm">
      {attempts.map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
      {query.hasNextPage && (
        <Button variant="default" size="compact-sm" onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Stack>
  );
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  return (
    <Box>
      <Text size="sm" fw={600}>
        Attempt {attempt.number}
      </Text>
      <AttemptResponse attempt={attempt} />
    </Box>
  );
}

/** What came back, or why nothing did. */
export function AttemptResponse({
  attempt: { number, status, error, durationMs, response, attemptedAt },
}: {
  attempt: WebhookAttempt;
}) {
  return (
    <Box>
      <Group gap="xs">
        <LastStatus status={status} />
        <Text size="sm" c="dimmed">
          <Moment at={attemptedAt} />, took {durationText(durationMs)}
        </Text>
      </Group>
      {error !== null && (
        <Text size="sm" className="user-text">
          {error}
        </Text>
      )}
      {response !== null && response !== '' && (
        <Code
          block
          mt={4}
          className="user-text"
          style={{ whiteSpace: 'pre-wrap', maxHeight: '12rem', overflow: 'auto' }}
          tabIndex={0}
          aria-label={`Response to attempt ${number}`}
          role="region"
        >
          {response}
        </Code>
      )}
    </Box>
  );
}
