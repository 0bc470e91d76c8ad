import { EVENT_TEXT, type EventText } from '../../core/outbox/index.js';
import { earlierSecretsOf, KEY, type TargetRow } from '../endpoint-target.sql.js';

/** An event with its trace (null: none), and the endpoint that it is for. */
export type TestRow = TargetRow & EventText & { traceparent: string | null };

/** SQL, since the event's data is read as the text that it is stored as. $1 delivery. */
export const TEST = `
  SELECT e.id AS "endpointId", e.url, e.sealed_secret AS "sealedSecret", ${earlierSecretsOf('e.id')} AS "earlierSecrets", ${KEY}, v.traceparent, ${EVENT_TEXT}
  FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.id = d.endpoint_id
    JOIN workspace_keys k ON k.workspace_id = e.workspace_id
    JOIN events v ON v.id = d.event_id
  WHERE d.id = $1`;
