import { type AuditEvent, auditExport } from '@gatehouse/client/operations';
import { auditListInfiniteOptions } from '@gatehouse/client/react-query';
import { Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import { Empty } from '../../../kit/empty.js';
import { ExportMenu } from '../../../kit/export-menu.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { Page } from '../../../kit/page.js';
import { usePages } from '../../../kit/use-pages.js';
import { auditQuery } from './audit-filters.js';
import { AuditDetails } from './audit-details-line.js';
import { AuditFilterBar } from './audit-filter-bar.js';
import { AuditTarget } from './audit-target.js';
import { actorOf, credentialOf, wordsOf } from './audit-words.js';

const COLUMNS: Column<AuditEvent>[] = [
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
        </Text>
        <AuditDetails details={event.details} />
      </>
    ),
  },
  {
    id: 'target',
    header: 'What it was done to',
    cell: ({ target }) => target && <AuditTarget target={target} />,
  },
  { id: 'when', header: 'When', align: 'right', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function AuditPage() {
  const filters = useSearch({ from: '/w/$workspace/$environment/settings/audit' });
  const query = usePages(
    auditListInfiniteOptions({ query: useMemo(() => ({ limit: 50, ...auditQuery(filters) }), [filters]) }),
  );
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
      <AuditFilterBar filters={filters} />
      <Listing
        label="Audit log"
        query={query}
        columns={COLUMNS}
        empty={
          <Empty title="Nothing fits">
            {isFiltered ? 'Take a filter away to see more.' : 'What is changed here will stand in this list.'}
          </Empty>
        }
      />
    </Page>
  );
}
