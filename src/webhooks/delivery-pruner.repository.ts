import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, type Repository } from 'typeorm';

import { firstIdAt } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { type Expired, Expires } from '../core/work/index.js';
import { DeletedWebhookEndpoint } from './deleted-webhook-endpoint.entity.js';
import { DELETE_OF_ENDPOINT, DELETE_OLD } from './deliveries.sql.js';

/** Few enough to lock nobody out. */
export const BATCH = 1_000;

@Injectable()
export class DeliveryPrunerRepository {
  constructor(
    @InjectRepository(DeletedWebhookEndpoint) private readonly deleted: Repository<DeletedWebhookEndpoint>,
    private readonly database: Database,
  ) {}

  /** With all about them. */
  @Expires({ after: 'deliveries', batch: BATCH })
  deleteOld({ before, most }: Expired): Promise<number> {
    return this.count(DELETE_OLD, [firstIdAt('delivery', before), most]);
  }

  async deletedEndpoints(): Promise<string[]> {
    return (await this.deleted.find()).map(({ id }) => id);
  }

  deleteOf(endpointId: string, count: number): Promise<number> {
    return this.count(DELETE_OF_ENDPOINT, [endpointId, count]);
  }

  /** Not before an event that was just being dispatched can have left another delivery. */
  async forget(id: string): Promise<void> {
    const deletedAt = Raw((moment) => `${moment} < now() - interval '2 minutes'`);
    await this.deleted.delete({ id, deletedAt });
  }

  private async count(statement: string, parameters: unknown[]): Promise<number> {
    return (await this.database.one<{ count: number }>(statement, parameters))!.count;
  }
}
