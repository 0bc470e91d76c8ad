import { type Session, sessionsEnd, sessionsEndOthers } from '@gatehouse/client/operations';
import { sessionsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Badge, Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';

import { confirmDestruction } from '../../kit/confirm.js';
import { type Column, Listing } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../kit/notify.js';
import { Section } from '../../kit/section.js';
import { usePages } from '../../kit/use-pages.js';

export function SessionsSection() {
  const queries = useQueryClient();
  const query = usePages(sessionsListInfiniteOptions({ query: { limit: 25 } }));
  const count = query.data?.pages.flatMap(({ items }) => items).length ?? 0;
  const columns = useMemo((): Column<Session>[] => {
    const end = async (act: () => Promise<unknown>, done: string): Promise<void> => {
      await act().then(() => notifyDone(done), notifyProblem);
      await queries.invalidateQueries();
    };
    return [
      {
        id: 'device',
        header: 'Device',
        cell: ({ device, address, current }) => (
          <>
            <Text span fw={600} size="sm" className="user-text">
              {device}
            </Text>{' '}
            {current && (
              <Badge
                size="sm"
                radius="sm"
                tt="none"
                variant="light"
                style={{ color: 'var(--mantine-color-text)' }}
              >
                this one
              </Badge>
            )}
            {address !== null && (
              <Text size="sm" c="dimmed" className="user-text">
                {address}
              </Text>
            )}
          </>
        ),
      },
      {
        id: 'used',
        header: 'Last used',
        cell: ({ lastUsedAt, createdAt }) => (
          <>
            <Moment at={lastUsedAt} />
            <Text size="sm" c="dimmed">
              signed in <Moment at={createdAt} />
            </Text>
          </>
        ),
      },
      {
        id: 'end',
        header: 'End',
        align: 'right',
        cell: ({ id, device, current }) =>
          !current && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`End the session of ${device}`}
              onClick={() =>
                confirmDestruction({
                  title: 'End this session?',
                  children: `${device} is signed out at once.`,
                  confirm: 'End it',
                  onConfirm: () => void end(() => sessionsEnd({ path: { id } }), 'The session has ended.'),
                })
              }
            >
              End
            </Button>
          ),
      },
    ];
  }, [queries]);
  const endOthers = (): void =>
    confirmDestruction({
      title: 'End all other sessions?',
      children: 'Every other browser is signed out at once. This one stays.',
      confirm: 'End them',
      onConfirm: () =>
        void sessionsEndOthers()
          .then(() => notifyDone('All other sessions have ended.'), notifyProblem)
          .then(() => queries.invalidateQueries()),
    });

  return (
    <Section
      title="Where you are signed in"
      description="End what you do not recognise, then change your password."
      actions={
        count > 1 && (
          <Button variant="default" onClick={endOthers}>
            End all others
          </Button>
        )
      }
    >
      <Listing label="Sessions" query={query} columns={columns} empty={null} />
    </Section>
  );
}
