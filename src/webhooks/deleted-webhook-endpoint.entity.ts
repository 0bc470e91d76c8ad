import { Column, Entity, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/entity-columns.js';

/** An endpoint whose deliveries are still to be removed. */
@Entity('deleted_webhook_endpoints')
export class DeletedWebhookEndpoint {
  @PrimaryColumn(ID)
  id!: string;

  @Column(CREATED)
  deletedAt!: Date;
}
