import type { AuditTarget as Target } from '@gatehouse/client/operations';
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';

/** What was changed, with a link where a page shows it. */
export function AuditTarget({ target: { type, id } }: { target: Target }) {
  const place = usePlace();
  const kind = type.replaceAll('_', ' ');
  const text = (
    <Text span size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
      {id}
    </Text>
  );
  return (
    <Text size="sm" component="div">
      {kind}{' '}
      {type === 'run' ? (
        <Anchor
          renderRoot={(props) => (
            <Link to="/w/$workspace/$environment/runs/$runId" params={{ ...place, runId: id }} {...props} />
          )}
        >
          {text}
        </Anchor>
      ) : type === 'webhook_endpoint' ? (
        <Anchor
          renderRoot={(props) => (
            <Link
              to="/w/$workspace/$environment/webhooks/$endpointId"
              params={{ ...place, endpointId: id }}
              {...props}
            />
          )}
        >
          {text}
        </Anchor>
      ) : (
        text
      )}
    </Text>
  );
}
