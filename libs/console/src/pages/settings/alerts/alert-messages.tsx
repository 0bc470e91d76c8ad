import type { AlertMessage } from '@gatehouse/client/operations';
import { alertsListMessagesOptions } from '@gatehouse/client/react-query';
import { List, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { Moment } from '../../../kit/moment.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';

const SHOWN = 20;
const AGAIN_MS = 2_000;

const STATES: Record<AlertMessage['status'], string> = {
  waiting: 'waits',
  sending: 'is being sent',
  sent: 'sent',
  failed: 'given up',
};

const isOpen = ({ status }: AlertMessage): boolean => status === 'waiting' || status === 'sending';

/** What a rule has told lately. Read again while some of it is under way. */
export function AlertMessages({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    ...alertsListMessagesOptions({ path: { id }, query: { limit: SHOWN } }),
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? AGAIN_MS : false),
  });
  if (error) return <ProblemNotice error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={80} aria-hidden />;
  if (data.items.length === 0) return <Text size="sm">Nothing was told in the last 30 days.</Text>;
  return (
    <List size="sm" spacing="xs">
      {data.items.map((message) => (
        <List.Item key={message.id} className="user-text">
          <Moment at={message.createdAt} />: {STATES[message.status]}. {textOf(message)}
          {message.error !== null && (
            <Text size="xs" c="dimmed">
              Attempt {message.attempts}: {message.error}
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  );
}

function textOf({ test, count, text }: AlertMessage): string {
  if (test) return 'A test.';
  return count === 1 ? `${text}.` : `${text}, and ${count - 1} more.`;
}
