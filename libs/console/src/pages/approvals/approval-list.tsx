import type { ApprovalRequest } from '@gatehouse/client/operations';
import { Anchor, Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePeople } from '../../app/use-people.js';
import { type Column, Listing, type ListingProps } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { Status } from '../../kit/status.js';
import { headingOf, isDecidedInPlace } from './approval.js';
import { VerdictButtons } from './decide/verdict-buttons.js';
import { STATUS_LABELS } from './status-labels.js';

type Props = Pick<ListingProps<ApprovalRequest>, 'label' | 'query' | 'empty' | 'chosen'>;

const DECIDE: Column<ApprovalRequest> = {
  id: 'decide',
  header: 'Decide',
  cell: (request) => isDecidedInPlace(request) && <VerdictButtons requests={[request]} />,
};

/** Requests with who asked; each leads to the page where it is decided, and a run is decided in its row as well. */
export function ApprovalList({ decides = false, ...props }: Props & { decides?: boolean }) {
  const nameOf = usePeople();
  const columns = useMemo(
    (): Column<ApprovalRequest>[] => [
      {
        id: 'request',
        header: 'Request',
        cell: (request) => (
          <>
            <Anchor
              fw={600}
              className="user-text"
              renderRoot={(anchor) => (
                <Link to="/approvals/$requestId" params={{ requestId: request.id }} {...anchor} />
              )}
            >
              {headingOf(request)}
            </Anchor>
            <Text size="sm" c="dimmed" className="user-text" lineClamp={2}>
              {request.summary}
            </Text>
          </>
        ),
      },
      {
        id: 'asker',
        header: 'Asked by',
        cell: ({ requestedBy, createdAt }) => (
          <Text size="sm" className="user-text">
            {requestedBy === null ? 'An API key' : (nameOf(requestedBy) ?? 'Somebody')},{' '}
            <Moment at={createdAt} />
          </Text>
        ),
      },
      {
        id: 'status',
        header: 'Status',
        cell: ({ status, decidedBy, expiresAt }) => (
          <Box miw={130}>
            <Status status={status} label={STATUS_LABELS[status]} />
            <Text size="xs" c="dimmed" className="user-text" mt={2}>
              {status === 'pending' ? (
                <>
                  ends <Moment at={expiresAt} />
                </>
              ) : (
                decidedBy && `by ${decidedBy.name}`
              )}
            </Text>
          </Box>
        ),
      },
      ...(decides ? [DECIDE] : []),
    ],
    [nameOf, decides],
  );
  return <Listing {...props} columns={columns} />;
}
