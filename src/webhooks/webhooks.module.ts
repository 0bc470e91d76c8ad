import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Dialer } from '../../libs/egress/index.js';
import { Settings } from '../core/config/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { DeletedWebhookEndpoint } from './deleted-webhook-endpoint.entity.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DELIVERIES_QUEUE } from './deliveries-queue.js';
import { EndpointValidator } from './endpoint-validator.js';
import { EndpointRegistrationService } from './endpoint-registration.service.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointTestsService } from './endpoint-tests.service.js';
import { EndpointsController } from './endpoints.controller.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { EndpointsService } from './endpoints.service.js';
import { EventExpiryRepository } from './event-expiry.repository.js';
import { FanOutService } from './fan-out.service.js';
import { RecoveryService } from './recovery.service.js';
import { DeliverySender } from './sending/delivery-sender.js';
import { EndpointDisablingService } from './sending/endpoint-disabling.service.js';
import { OutcomeWriter } from './sending/outcome-writer.js';
import { OutcomesRepository } from './sending/outcomes.repository.js';
import { ATTEMPT_TIMEOUT_MS } from './sending/send-error.js';
import { TestAttemptService } from './sending/test-attempt.service.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEarlierSecret } from './webhook-earlier-secret.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEventTypes } from './webhook.event-types.js';
import { WebhookRetryResponses } from './webhook-retry-responses.js';
import { CreateEndpoint, DeleteEndpoint, EnableEndpoint } from './endpoint.actions.js';

const ENTITIES = [
  DeletedWebhookEndpoint,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEarlierSecret,
  WebhookEndpoint,
];
const ACTIONS = [CreateEndpoint, DeleteEndpoint, EnableEndpoint];

/**
 * Where events are pushed to: endpoints, and the deliveries to them. Any process makes deliveries of events, and may send a
 * test; `DeliveryWorkerModule` sends the rest.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature(ENTITIES),
    EnvironmentsModule,
    BullModule.registerQueue({ name: DELIVERIES_QUEUE }),
  ],
  controllers: [EndpointsController, DeliveriesController],
  providers: [
    // It checks a URL when it is registered, and makes the connections to it later.
    {
      provide: Dialer,
      inject: [Settings],
      useFactory: ({ outboundAllow }: Settings) =>
        new Dialer({ allow: outboundAllow, timeoutMs: ATTEMPT_TIMEOUT_MS }),
    },
    ...ACTIONS,
    DeliveriesService,
    DeliveriesRepository,
    DeliverySender,
    EndpointValidator,
    EndpointDisablingService,
    EndpointRegistrationService,
    EndpointSecrets,
    EndpointTestsService,
    EndpointsRepository,
    EndpointsService,
    EventExpiryRepository,
    FanOutService,
    OutcomeWriter,
    OutcomesRepository,
    RecoveryService,
    TestAttemptService,
    WebhookEventTypes,
    WebhookRetryResponses,
  ],
  exports: [
    DeliveriesService,
    DeliverySender,
    EndpointSecrets,
    EndpointTestsService,
    EndpointValidator,
    EndpointsService,
    OutcomeWriter,
  ],
})
export class WebhooksModule {}
