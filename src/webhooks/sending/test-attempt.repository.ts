import { Injectable } from '@nestjs/common';

import { columns, Database, type RowOf } from '../../core/database/index.js';
import { EVENT_TEXT, type EventText } from '../../core/outbox/index.js';
import type { WorkspaceKeyRow } from '../../core/keys/index.js';
import { earlierSecretsOf } from '../earlier-secrets.sql.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { KEY } from './workspace-key.sql.js';

/** With its trace; null: none. */
type TracedEvent = EventText & { traceparent: string | null };

export interface PreparedTest {
  endpointId: string;
  url: string;
  sealedSecrets: Buffer[];
  key: WorkspaceKeyRow;
  event: TracedEvent;
}

type PreparedRow = RowOf<typeof ENDPOINT> &
  RowOf<typeof KEY> &
  TracedEvent & {
    endpointId: string;
    /** null: none but the newest. */
    earlierSecrets: Buffer[] | null;
  };

@Injectable()
export class TestAttemptRepository {
  constructor(private readonly database: Database) {}

  /** All that the attempt of a test's delivery needs; null where the endpoint is deleted. */
  async prepare(deliveryId: string): Promise<PreparedTest | null> {
    const row = await this.database.one<PreparedRow>(PREPARE, [deliveryId]);
    if (!row) return null;
    const { workspaceId, masterKeyId, sealedKey, endpointId, url } = row;
    const sealedSecrets = [row.sealedSecret, ...(row.earlierSecrets ?? [])];
    return { endpointId, url, sealedSecrets, key: { workspaceId, masterKeyId, sealedKey }, event: row };
  }
}

const ENDPOINT = columns(WebhookEndpoint, 'e', 'url', 'sealedSecret');

const PREPARE = `
  SELECT e.id AS "endpointId", ${ENDPOINT}, ${earlierSecretsOf('e.id')} AS "earlierSecrets", ${KEY}, v.traceparent, ${EVENT_TEXT}
  FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.id = d.endpoint_id
    JOIN workspace_keys k ON k.workspace_id = e.workspace_id
    JOIN events v ON v.id = d.event_id
  WHERE d.id = $1`;
