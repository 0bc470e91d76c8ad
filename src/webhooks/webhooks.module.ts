import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';

import { Dialer } from '../../libs/egress/index.js';
import { Settings } from '../core/config/settings.js';
import { EnvironmentsModule } from '../environments/index.js';
import { CreateEndpoint } from './actions/create-endpoint.action.js';
import { DeleteEndpoint } from './actions/delete-endpoint.action.js';
import { EnableEndpoint } from './actions/enable-endpoint.action.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { Deliveries } from './deliveries.service.js';
import { DELIVERIES_QUEUE } from './deliveries-queue.js';
import { EndpointChangeNotices } from './endpoint-change-notices.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointTargets } from './endpoint-targets.js';
import { EndpointTestsRepository } from './endpoint-tests.repository.js';
import { EndpointTests } from './endpoint-tests.service.js';
import { EndpointsController } from './endpoints.controller.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { Endpoints } from './endpoints.service.js';
import { EventExpiryRepository } from './event-expiry.repository.js';
import { FanOut } from './fan-out.js';
import { FanOutRepository } from './fan-out.repository.js';
import { RecoveryRepository } from './recovery.repository.js';
import { Recovery } from './recovery.service.js';
import { DeliverySender } from './sending/delivery-sender.js';
import { EndpointDisabling } from './sending/endpoint-disabling.js';
import { OutcomeWriter } from './sending/outcome-writer.js';
import { OutcomesRepository } from './sending/outcomes.repository.js';
import { ATTEMPT_TIMEOUT_MS } from './sending/send-error.js';
import { WebhookEventTypes } from './webhook.event-types.js';

const ACTIONS = [CreateEndpoint, DeleteEndpoint, EnableEndpoint];

/**
 * Where events are pushed to: endpoints, and the deliveries to them. Any process makes deliveries of events, and may send a
 * test; `DeliveryWorkerModule` sends the rest.
 */
@Module({
  imports: [EnvironmentsModule, BullModule.registerQueue({ name: DELIVERIES_QUEUE })],
  controllers: [EndpointsController, DeliveriesController],
  providers: [
    // What judges a URL when it is registered makes the connections later.
    {
      provide: Dialer,
      inject: [Settings],
      useFactory: ({ outboundAllow }: Settings) =>
        new Dialer({ allow: outboundAllow, timeoutMs: ATTEMPT_TIMEOUT_MS }),
    },
    ...ACTIONS,
    Deliveries,
    DeliveriesRepository,
    DeliverySender,
    EndpointChangeNotices,
    EndpointDisabling,
    EndpointSecrets,
    EndpointTargets,
    EndpointTests,
    EndpointTestsRepository,
    Endpoints,
    EndpointsRepository,
    EventExpiryRepository,
    FanOut,
    FanOutRepository,
    OutcomeWriter,
    OutcomesRepository,
    Recovery,
    RecoveryRepository,
    WebhookEventTypes,
  ],
  exports: [DeliverySender, EndpointChangeNotices, EndpointSecrets, OutcomeWriter],
})
export class WebhooksModule {}
