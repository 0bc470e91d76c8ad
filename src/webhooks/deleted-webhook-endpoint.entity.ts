import { Column, Entity, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/index.js';

/** An endpoint that is deleted and whose deliveries, which may be many, still are to be. */
@Entity('deleted_webhook_endpoints')
export class DeletedWebhookEndpoint {
  @PrimaryColumn(ID)
  id!: string;

  @Column(CREATED)
  deletedAt!: Date;
}
