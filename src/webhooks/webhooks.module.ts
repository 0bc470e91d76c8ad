import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module, type ValueProvider } from '@nestjs/common';

import { Dialer } from '../../libs/egress/index.js';
import type { Settings } from '../core/config/settings.js';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { CreateEndpoint } from './actions/create-endpoint.action.js';
import { DeleteEndpoint } from './actions/delete-endpoint.action.js';
import { EnableEndpoint } from './actions/enable-endpoint.action.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { Deliveries } from './deliveries.service.js';
import { DELIVERIES_QUEUE, DeliveryDispatch } from './delivery-dispatch.js';
import { DeliveryPruner } from './delivery-pruner.js';
import { DeliveryPrunerRepository } from './delivery-pruner.repository.js';
import { EndpointChangeNotices } from './endpoint-change-notices.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointTargets } from './endpoint-targets.js';
import { EndpointTestsRepository } from './endpoint-tests.repository.js';
import { EndpointTests } from './endpoint-tests.service.js';
import { EndpointsController } from './endpoints.controller.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { Endpoints } from './endpoints.service.js';
import { FanOut } from './fan-out.js';
import { FanOutRepository } from './fan-out.repository.js';
import { RecoveryRepository } from './recovery.repository.js';
import { Recovery } from './recovery.service.js';
import { DeliveriesProcessor } from './sending/deliveries.processor.js';
import { DeliveryDrains } from './sending/delivery-drains.js';
import { DeliverySender } from './sending/delivery-sender.js';
import { DueRepository } from './sending/due.repository.js';
import { EndpointDisabling } from './sending/endpoint-disabling.js';
import { OutcomeWriter } from './sending/outcome-writer.js';
import { OutcomesRepository } from './sending/outcomes.repository.js';
import { ATTEMPT_TIMEOUT_MS } from './sending/send-error.js';
import { WebhookEventTypes } from './webhook.event-types.js';

const API = [
  Deliveries,
  EndpointTargets,
  EndpointTests,
  EndpointTestsRepository,
  Endpoints,
  EndpointsRepository,
  Recovery,
  RecoveryRepository,
];
const ACTIONS = [CreateEndpoint, DeleteEndpoint, EnableEndpoint];
/** Any process dispatches events, and may send a test. */
const BOTH = [
  DeliveriesRepository,
  DeliveryDispatch,
  DeliverySender,
  EndpointChangeNotices,
  EndpointDisabling,
  EndpointSecrets,
  FanOut,
  FanOutRepository,
  OutcomeWriter,
  OutcomesRepository,
  WebhookEventTypes,
];
const WORKER = [DeliveriesProcessor, DeliveryDrains, DeliveryPruner, DeliveryPrunerRepository, DueRepository];

/** Where events are pushed to: endpoints, and the deliveries to them. */
@Module({})
export class WebhooksModule {
  static for(settings: Settings): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [EnvironmentsModule, BullModule.registerQueue({ name: DELIVERIES_QUEUE })],
      controllers: [EndpointsController, DeliveriesController],
      providers: [dialerFor(settings), ...BOTH, ...API, ...ACTIONS, ...(settings.runsScripts ? WORKER : [])],
    };
  }
}

/** What judges a URL when it is registered makes the connections later. */
function dialerFor({ outboundAllow }: Settings): ValueProvider {
  const dialer = new Dialer({ allow: outboundAllow, timeoutMs: ATTEMPT_TIMEOUT_MS });
  return { provide: Dialer, useValue: dialer };
}
