import type { ApprovalRequest } from '@gatehouse/client/operations';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { pendingRequestsQuery } from '../../app/place-queries.js';
import { usePeople } from '../../app/use-people.js';
import { usePlace } from '../../app/use-place.js';
import { Moment } from '../../kit/moment.js';
import { askerOf, headingOf, isDecidedInPlace, meansOf, waitsForMe } from '../approvals/approval.js';
import { VerdictButtons } from '../approvals/decide/verdict-buttons.js';
import { GroupName } from '../approvals/request-group.js';
import { type RequestGroup, requestGroups } from '../approvals/request-groups.js';
import { Card } from './card.js';
import { Entries, Entry } from '../../kit/entries.js';

const SHOWN = 5;

/** What waits for the person's own yes or no, which can be said here. */
export function Waiting() {
  const place = usePlace();
  const query = useQuery(pendingRequestsQuery());
  const mine = query.data?.items.filter(waitsForMe) ?? [];
  const nameOf = usePeople(mine.length > 0);
  return (
    <Card
      title="Waiting for you"
      query={query}
      isEmpty={mine.length === 0}
      empty="Nothing waits for you."
      more={{
        label: mine.length > SHOWN ? `All ${mine.length}` : 'Approvals',
        link: { to: '/w/$workspace/$environment/approvals', params: place },
      }}
    >
      <Entries>
        {requestGroups(mine)
          .slice(0, SHOWN)
          .map((group) => (
            <Entry
              key={group.id}
              name={<GroupName group={group} fw={500} />}
              about={<Asked request={group.first} nameOf={nameOf} />}
            >
              <Decide group={group} />
            </Entry>
          ))}
      </Entries>
    </Card>
  );
}

function Asked({ request, nameOf }: { request: ApprovalRequest; nameOf: ReturnType<typeof usePeople> }) {
  return (
    <>
      {askerOf(request, nameOf)} asked{meansOf(request)} <Moment at={request.createdAt} />
    </>
  );
}

function Decide({ group: { first, requests } }: { group: RequestGroup }) {
  if (requests.every(isDecidedInPlace)) {
    return <VerdictButtons requests={requests} withCount={requests.length > 1} />;
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Decide: ${headingOf(first)}`}
      renderRoot={(props) => <Link to="/approvals/$requestId" params={{ requestId: first.id }} {...props} />}
    >
      Decide
    </Button>
  );
}
