import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import type { WorkspaceKeyRow } from '../../core/keys/index.js';
import { PREPARE, type PreparedRow, type TracedEvent } from './test-attempt.sql.js';

export interface PreparedTest {
  endpointId: string;
  url: string;
  sealedSecrets: Buffer[];
  key: WorkspaceKeyRow;
  event: TracedEvent;
}

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
