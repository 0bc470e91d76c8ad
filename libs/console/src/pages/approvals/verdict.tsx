import type { ApprovalRequest } from '@gatehouse/client/operations';
import { Group, Stack, Text } from '@mantine/core';

import { FailureNotice } from '../../kit/failure-notice.js';
import { Moment } from '../../kit/moment.js';
import { ShownOnce } from '../../kit/shown-once.js';
import { Status } from '../../kit/status.js';
import { STATUS_LABELS } from './status-labels.js';

/** What became of a request, and by whom. */
export function Verdict({ request }: { request: ApprovalRequest }) {
  const { status, result, decisionReason, secret } = request;
  return (
    <Stack gap="xs" role="status">
      <Group gap="xs">
        <Status status={status} label={STATUS_LABELS[status]} />
        <Text size="sm" className="user-text">
          <Decision request={request} />
        </Text>
      </Group>
      {decisionReason !== null && (
        <Text component="blockquote" m={0} pl="sm" size="sm" className="user-text" style={QUOTE}>
          {decisionReason}
        </Text>
      )}
      {status === 'failed' && (
        <FailureNotice
          title="It was approved, but could not be done"
          error={String(result?.['error'] ?? 'The service does not say why.')}
        />
      )}
      {status === 'approved' && (
        <Text size="sm">
          Whoever asked now fetches the {secret?.name ?? 'result'}; nobody else gets to see it.
        </Text>
      )}
      {typeof result?.['link'] === 'string' && <ShareLink link={result['link']} />}
    </Stack>
  );
}

const QUOTE = {
  whiteSpace: 'pre-wrap',
  borderLeft: '3px solid var(--mantine-color-default-border)',
} as const;

function Decision({
  request: { action, status, decidedBy, decidedAt, expiresAt },
}: {
  request: ApprovalRequest;
}) {
  if (status === 'expired' && !decidedBy) {
    // What is withdrawn keeps the moment at which it would have expired.
    if (action === 'request.send') return 'Nobody decided while the script waited. It was not sent.';
    if (Date.parse(expiresAt) > Date.now()) return 'It was withdrawn before anybody decided.';
    return (
      <>
        Nobody decided in time; it ended <Moment at={expiresAt} />. Ask for it again if it is still needed.
      </>
    );
  }
  return (
    <>
      {decidedBy && <>by {decidedBy.name} </>}
      {decidedAt && <Moment at={decidedAt} />}
    </>
  );
}

/** Where no mail can be sent, the one who approves an invitation passes its link on. */
function ShareLink({ link }: { link: string }) {
  return (
    <ShownOnce value={link} name="link">
      No mail was sent. Send the link to whom it invites.
    </ShownOnce>
  );
}
