import { columns, type RowOf } from '../core/database/index.js';
import { WorkspaceKey } from '../core/keys/index.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** What opens signing secrets, of `workspace_keys k`. */
export const KEY = columns(WorkspaceKey, 'k', 'workspaceId', 'masterKeyId', 'sealedKey');

/** In SQL: the secrets that sign beside the newest one of the endpoint with this id, the newest first; null for none. */
export const earlierSecretsOf = (endpointId: string): string => `NULLIF(ARRAY(
  SELECT s.sealed_secret FROM webhook_earlier_secrets s
  WHERE s.endpoint_id = ${endpointId} AND s.signs_until > now() ORDER BY s.id DESC), '{}')`;

/** Where to send, and what opens the secrets to sign with. */
export type TargetRow = Pick<WebhookEndpoint, 'url' | 'sealedSecret'> &
  RowOf<typeof KEY> & {
    endpointId: string;
    earlierSecrets: Buffer[] | null;
  };
