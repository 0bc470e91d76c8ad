import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { type Column, Listing, type ListingProps } from '../../../kit/listing.js';
import { useScript } from '../script-context.js';

const KINDS = {
  schedule: { plural: 'Schedules', newPage: '/w/$workspace/$environment/scripts/$slug/schedules/new' },
  trigger: { plural: 'Triggers', newPage: '/w/$workspace/$environment/scripts/$slug/triggers/new' },
  hook: { plural: 'Hooks', newPage: '/w/$workspace/$environment/scripts/$slug/hooks/new' },
} as const;

type Kind = keyof typeof KINDS;

interface AutomationListProps<Row extends { id: string }> {
  kind: Kind;
  query: ListingProps<Row>['query'];
  columns: Column<Row>[];
  /** Shown where there is none yet: what one would do, or what it needs first. */
  empty: { title: string; published: ReactNode; unpublished: ReactNode };
}

/** The schedules, triggers or hooks of a script; without a published version there is nothing that they could start. */
export function AutomationList<Row extends { id: string }>(props: AutomationListProps<Row>) {
  const { kind, query, columns, empty } = props;
  const isPublished = useScript().publishedVersion !== null;
  const some = (query.data?.pages[0]?.items.length ?? 0) > 0;
  return (
    <Stack>
      {some && isPublished && (
        <Group justify="flex-end">
          <NewButton kind={kind} />
        </Group>
      )}
      <Listing
        label={KINDS[kind].plural}
        query={query}
        columns={columns}
        empty={
          <Empty title={empty.title} action={isPublished ? <NewButton kind={kind} /> : undefined}>
            {isPublished ? empty.published : empty.unpublished}
          </Empty>
        }
      />
    </Stack>
  );
}

function NewButton({ kind }: { kind: Kind }) {
  const place = usePlace();
  const { slug } = useScript();
  return (
    <Button renderRoot={(props) => <Link to={KINDS[kind].newPage} params={{ ...place, slug }} {...props} />}>
      New {kind}
    </Button>
  );
}
