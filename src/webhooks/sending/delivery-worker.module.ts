import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { DeletedWebhookEndpoint } from '../deleted-webhook-endpoint.entity.js';
import { DeliveryPruner } from '../delivery-pruner.js';
import { DeliveryPrunerRepository } from '../delivery-pruner.repository.js';
import { WebhookDelivery } from '../webhook-delivery.entity.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { WebhooksModule } from '../webhooks.module.js';
import { DeliveriesProcessor } from './deliveries.processor.js';
import { DeliveryDrains } from './delivery-drains.js';
import { DueRepository } from './due.repository.js';
import { EndpointLeases } from './endpoint-leases.js';

/** The worker's part of deliveries: sends them, and deletes old ones. */
@Module({
  imports: [
    WebhooksModule,
    TypeOrmModule.forFeature([DeletedWebhookEndpoint, WebhookDelivery, WebhookEndpoint]),
  ],
  providers: [
    DeliveriesProcessor,
    DeliveryDrains,
    DeliveryPruner,
    DeliveryPrunerRepository,
    DueRepository,
    EndpointLeases,
  ],
})
export class DeliveryWorkerModule {}
