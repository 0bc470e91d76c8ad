import { type AuditEvent, auditExport } from '@gatehouse/client/operations';
import { auditListInfiniteOptions } from '@gatehouse/client/react-query';
import { Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { Place } from '../../../api/place.js';
import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { ExportMenu } from '../../../kit/export-menu.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { Page } from '../../../kit/page.js';
import { usePages } from '../../../kit/use-pages.js';
import { type AuditFilters, auditQuery } from './audit-filters.js';
import { AuditDetails } from './audit-details-line.js';
import { AuditFilterBar } from './audit-filter-bar.js';
import { targetOf } from './audit-target.js';
import { AuditTargetCell } from './audit-target-cell.js';
import { actorOf, credentialOf, wordsOf } from './audit-words.js';

const columnsOf = (filters: AuditFilters, place: Place): Column<AuditEvent>[] => [
  {
    id: 'what',
    header: 'What happened',
    cell: (event) => (
      <>
        <Text size="sm" className="user-text">
          <b className="user-text">{actorOf(event)}</b> {wordsOf(event.action)}
        </Text>
        <Text size="xs" c="dimmed" className="user-text">
          <code>{event.action}</code>
          {credentialOf(event) !== null && ` · ${credentialOf(event)}`}
          {event.address !== null && ` · ${event.address}`}
        </Text>
        <AuditDetails details={event.details} name={targetOf(event, place)?.name ?? null} />
      </>
    ),
  },
  {
    id: 'target',
    header: 'What it was done to',
    cell: (event) => <AuditTargetCell event={event} filters={filters} />,
  },
  { id: 'when', header: 'When', align: 'right', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function AuditPage() {
  const filters = useSearch({ from: '/w/$workspace/$environment/settings/audit' });
  const query = usePages(
    auditListInfiniteOptions({ query: useMemo(() => ({ limit: 50, ...auditQuery(filters) }), [filters]) }),
  );
  const place = usePlace();
  const columns = useMemo(() => columnsOf(filters, place), [filters, place]);
  // Of the newest entry that says it: it may have been called otherwise before.
  const targetName =
    query.data?.pages[0]?.items
      .filter(({ target }) => target?.id === filters.target)
      .map((event) => targetOf(event, place)?.name ?? null)
      .find((name) => name !== null) ?? null;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Audit log"
      description="Who changed what in this workspace. Nothing removes or changes an entry."
      actions={
        <ExportMenu
          name="audit"
          read={(format) =>
            auditExport({ query: { ...auditQuery(filters), format }, parseAs: 'blob', throwOnError: true })
          }
        />
      }
    >
      <AuditFilterBar filters={filters} targetName={targetName} />
      <Listing
        label="Audit log"
        query={query}
        columns={columns}
        empty={
          <Empty title="Nothing fits">
            {isFiltered ? 'Take a filter away to see more.' : 'What is changed here will stand in this list.'}
          </Empty>
        }
      />
    </Page>
  );
}
