import { columns, type RowOf } from '../../core/database/index.js';
import { EVENT_TEXT, type EventText } from '../../core/outbox/index.js';
import { earlierSecretsOf } from '../earlier-secrets.sql.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { KEY } from './workspace-key.sql.js';

const ENDPOINT = columns(WebhookEndpoint, 'e', 'url', 'sealedSecret');

/** With its trace; null: none. */
export type TracedEvent = EventText & { traceparent: string | null };

export type PreparedRow = RowOf<typeof ENDPOINT> &
  RowOf<typeof KEY> &
  TracedEvent & {
    endpointId: string;
    /** null: none but the newest. */
    earlierSecrets: Buffer[] | null;
  };

/** SQL, since the event's data is read as the text that it is stored as. $1 delivery. */
export const PREPARE = `
  SELECT e.id AS "endpointId", ${ENDPOINT}, ${earlierSecretsOf('e.id')} AS "earlierSecrets", ${KEY}, v.traceparent, ${EVENT_TEXT}
  FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.id = d.endpoint_id
    JOIN workspace_keys k ON k.workspace_id = e.workspace_id
    JOIN events v ON v.id = d.event_id
  WHERE d.id = $1`;
