import { Injectable } from '@nestjs/common';

import type { WorkspaceKeyRow } from '../../core/keys/index.js';
import { Database } from '../../core/database/index.js';
import { COUNT, type DueDelivery, type DueRow, FAIL_DUE, RELEASE, RENEW, TAKE, WAITING } from './due.sql.js';

/** An endpoint as it is now, and the next deliveries to it. */
export interface DueBatch {
  workspaceId: string;
  /** Whom the workspace counts for. */
  owner: string;
  url: string;
  sealedSecrets: Buffer[];
  key: WorkspaceKeyRow;
  consecutiveFailures: number;
  deliveries: DueDelivery[];
}

export interface WaitingEndpoint {
  id: string;
  /** Whom its workspace counts for; null: it is deleted. */
  owner: string | null;
  /** False: it is disabled or deleted, so that nothing will be sent. */
  sendable: boolean;
}

/** Of what is due at an endpoint that gets nothing any more. */
const FAILED_AT_ONCE = 5_000;

/** The leases that workers take on endpoints, so that only one sends to each, and what is due there. */
@Injectable()
export class DueRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes leases on endpoints, and returns the next deliveries to each of them. Left out are those where nothing is due, or on
   * which another worker has the lease.
   *
   * @param held deliveries that the worker has already
   */
  async take(
    endpointIds: readonly string[],
    workerId: string,
    held: readonly string[],
  ): Promise<Map<string, DueBatch>> {
    const batches = new Map<string, DueBatch>();
    for (const row of await this.database.query<DueRow>(TAKE, [endpointIds, workerId, held])) {
      const batch = batches.get(row.endpointId);
      if (batch) batch.deliveries.push(row);
      else batches.set(row.endpointId, batchOf(row));
    }
    return batches;
  }

  /** Renews the worker's leases, and returns the endpoints that it still has one on. */
  async renew(endpointIds: readonly string[], workerId: string): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(RENEW, [endpointIds, workerId]);
    return new Set(rows.map(({ id }) => id));
  }

  async release(endpointId: string, workerId: string): Promise<void> {
    await this.database.execute(RELEASE, [endpointId, workerId]);
  }

  /** The endpoints where something is due and on which no other worker has a lease. */
  waiting(workerId: string): Promise<WaitingEndpoint[]> {
    return this.database.query<WaitingEndpoint>(WAITING, [workerId]);
  }

  /** How many deliveries are due at all endpoints, counted no further than is worth knowing. */
  async count(): Promise<number> {
    return (await this.database.one<{ count: number }>(COUNT))!.count;
  }

  /** Fails some of what is due at an endpoint that is disabled or deleted. */
  async failDue(endpointId: string): Promise<void> {
    await this.database.execute(FAIL_DUE, [endpointId, FAILED_AT_ONCE]);
  }
}

function batchOf(row: DueRow): DueBatch {
  const { workspaceId, owner, url, masterKeyId, sealedKey, consecutiveFailures } = row;
  return {
    workspaceId,
    owner,
    url,
    sealedSecrets: [row.sealedSecret, ...(row.earlierSecrets ?? [])],
    key: { workspaceId, masterKeyId, sealedKey },
    consecutiveFailures,
    deliveries: [row],
  };
}
