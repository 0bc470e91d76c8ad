import { Injectable } from '@nestjs/common';

import type { WorkspaceKeyRow } from '../core/keys/workspace-keys.repository.js';
import { Database } from '../core/database/database.js';
import { NotFound } from '../core/errors/problems.js';
import type { DeliveryStatus } from './delivery.dto.js';
import { earlierSecretsOf } from './endpoints.repository.js';
import type { EventText } from './sending/attempt.js';

export interface PreparedTest {
  endpointId: string;
  url: string;
  sealedSecrets: Buffer[];
  key: WorkspaceKeyRow;
  event: EventText;
}

@Injectable()
export class EndpointTestsRepository {
  constructor(private readonly database: Database) {}

  outcome(id: string): Promise<{ status: DeliveryStatus; lastStatus: number | null } | null> {
    return this.database.one(
      'SELECT status, last_status AS "lastStatus" FROM webhook_deliveries WHERE id = $1',
      [id],
    );
  }

  /** @throws NotFound where the endpoint was deleted meanwhile */
  async prepare(deliveryId: string): Promise<PreparedTest> {
    const row = await this.database.one<
      EventText &
        WorkspaceKeyRow & { endpointId: string; url: string; newest: Buffer; earlier: Buffer[] | null }
    >(PREPARE, [deliveryId]);
    if (!row) throw new NotFound('webhook endpoint');
    const { workspaceId, masterKeyId, sealedKey, endpointId, url, newest, earlier, ...event } = row;
    const sealedSecrets = [newest, ...(earlier ?? [])];
    return { endpointId, url, sealedSecrets, key: { workspaceId, masterKeyId, sealedKey }, event };
  }
}

const PREPARE = `
  SELECT e.id AS "endpointId", e.url, e.sealed_secret AS newest, ${earlierSecretsOf('e.id')} AS earlier,
    k.workspace_id AS "workspaceId", k.master_key_id AS "masterKeyId", k.sealed_key AS "sealedKey",
    v.id AS "eventId", v.type AS "eventType", v.created_at AS "createdAt", v.data::text AS data
  FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.id = d.endpoint_id
    JOIN workspace_keys k ON k.workspace_id = e.workspace_id
    JOIN events v ON v.id = d.event_id
  WHERE d.id = $1`;
