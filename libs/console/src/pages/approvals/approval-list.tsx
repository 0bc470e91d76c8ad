import type { ApprovalRequest } from '@gatehouse/client/operations';
import { Box, Text } from '@mantine/core';
import { useMemo } from 'react';

import { usePeople } from '../../app/use-people.js';
import { type Column, Listing, type ListingProps } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { actsColumn } from '../../kit/row-acts.js';
import { Status } from '../../kit/status.js';
import { ApprovalActs } from './approval-acts.js';
import { askerOf, isDecidedInPlace, meansOf } from './approval.js';
import { VerdictButtons } from './decide/verdict-buttons.js';
import { GroupName } from './request-group.js';
import { type RequestGroup, requestGroups } from './request-groups.js';
import { STATUS_LABELS } from './status-labels.js';

interface Props extends Pick<ListingProps<RequestGroup>, 'label' | 'empty' | 'chosen'> {
  query: ListingProps<ApprovalRequest>['query'];
  decides?: boolean;
}

const DECIDE: Column<RequestGroup> = {
  id: 'decide',
  header: 'Decide',
  cell: ({ requests }) =>
    requests.every(isDecidedInPlace) && (
      <VerdictButtons requests={requests} withCount={requests.length > 1} />
    ),
};

/** Requests with who asked, those of one run together; each leads to its page, and what fits is decided in its row as well. */
export function ApprovalList({ query, decides = false, ...props }: Props) {
  const nameOf = usePeople();
  const columns = useMemo(
    (): Column<RequestGroup>[] => [
      {
        id: 'request',
        header: 'Request',
        cell: (group) => (
          <>
            <GroupName group={group} />
            {group.requests.length === 1 && (
              <Text size="sm" c="dimmed" className="user-text" lineClamp={2}>
                {group.first.summary}
              </Text>
            )}
          </>
        ),
      },
      {
        id: 'asker',
        header: 'Asked by',
        cell: ({ first }) => (
          <Text size="sm" className="user-text">
            {askerOf(first, nameOf)}
            {meansOf(first)}, <Moment at={first.createdAt} />
          </Text>
        ),
      },
      {
        id: 'status',
        header: 'Status',
        cell: ({ first: { status, decidedBy }, requests }) => (
          <Box miw={130}>
            <Status status={status} label={STATUS_LABELS[status]} />
            <Text size="xs" c="dimmed" className="user-text" mt={2}>
              {status === 'pending' ? (
                <>
                  ends <Moment at={requests.at(-1)!.expiresAt} />
                </>
              ) : (
                decidedBy && `by ${decidedBy.name}`
              )}
            </Text>
          </Box>
        ),
      },
      ...(decides ? [DECIDE] : []),
      // They would lie over the buttons that decide.
      actsColumn(
        ({ first, requests }) =>
          requests.length === 1 && !(decides && isDecidedInPlace(first)) && <ApprovalActs request={first} />,
      ),
    ],
    [nameOf, decides],
  );
  return <Listing {...props} query={inGroups(query)} columns={columns} />;
}

/** The same list, by what is decided together. */
function inGroups(query: Props['query']): ListingProps<RequestGroup>['query'] {
  const items = requestGroups(query.data?.pages.flatMap((page) => page.items) ?? []);
  const data = query.data && { ...query.data, pages: [{ items, nextCursor: null }] };
  return { ...query, data } as ListingProps<RequestGroup>['query'];
}
