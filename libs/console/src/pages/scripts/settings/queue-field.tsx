import { type Queue, queuesList } from '@gatehouse/client/operations';
import { Select } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';

import { useRights } from '../../../app/use-place.js';

/** A workspace has no more of them than a page. */
const queuesQuery = () =>
  queryOptions({
    // Made stale by the same events as the list.
    queryKey: [{ _id: 'queuesList', all: true }],
    queryFn: async () => (await queuesList({ query: { limit: 100 } })).data?.items ?? [],
    staleTime: Infinity,
  });

const NONE: Queue[] = [];

/** Whoever may change the script puts it into a queue; to take it out takes an owner or admin. */
export function QueueField({
  before,
  value,
  onChange,
  error,
}: {
  before: string | null;
  value: string | null;
  onChange: (queue: string | null) => void;
  error: string | undefined;
}) {
  const { administers } = useRights();
  const { data: queues = NONE } = useQuery(queuesQuery());
  const mayChange = administers || before === null;
  if (queues.length === 0 && value === null) return null;
  return (
    <Select
      label="Queue"
      description={
        mayChange
          ? 'Its runs share the places of the queue with those of other scripts.'
          : 'Owners and admins can take it out.'
      }
      placeholder="None"
      clearable={mayChange}
      disabled={!mayChange}
      data={queues.map(({ name }) => name)}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
