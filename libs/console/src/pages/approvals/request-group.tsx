import type { ApprovalRequest } from '@gatehouse/client/operations';
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { counted } from '../../kit/counted.js';
import { headingOf } from './approval.js';
import type { RequestGroup } from './request-groups.js';

const SHOWN = 3;

/** In a line: what is decided. */
export function groupHeading({ first, requests }: RequestGroup): string {
  if (requests.length === 1) return headingOf(first);
  const { script, environment } = first.input;
  return `Send ${counted(requests.length, 'request')} of ${String(script)} in ${String(environment)}`;
}

/** Leads to where it is decided; a group names the first of its requests below. */
export function GroupName({ group, fw = 600 }: { group: RequestGroup; fw?: number }) {
  const { first, requests } = group;
  if (requests.length === 1) return <RequestLink request={first} fw={fw} />;
  return (
    <>
      <Text span inherit fw={fw} className="user-text">
        {groupHeading(group)}
      </Text>
      {requests.slice(0, SHOWN).map((request) => (
        <Text key={request.id} size="sm" className="user-text" lineClamp={1}>
          <RequestLink request={request} />
        </Text>
      ))}
      {requests.length > SHOWN && (
        <Text size="sm" c="dimmed">
          and {requests.length - SHOWN} more
        </Text>
      )}
    </>
  );
}

function RequestLink({ request, fw }: { request: ApprovalRequest; fw?: number }) {
  return (
    <Anchor
      inherit
      {...(fw !== undefined && { fw })}
      className="user-text"
      renderRoot={(props) => (
        <Link to="/approvals/$requestId" params={{ requestId: request.id }} {...props} />
      )}
    >
      {headingOf(request)}
    </Anchor>
  );
}
