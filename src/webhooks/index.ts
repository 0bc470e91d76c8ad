export { DeliveriesService } from './deliveries.service.js';
export { WebhookDeliveryQuery } from './delivery.dto.js';
export { EndpointTestsService } from './endpoint-tests.service.js';
export { EndpointValidator } from './endpoint-validator.js';
export { EndpointsService } from './endpoints.service.js';
export { DeliveryWorkerModule } from './sending/delivery-worker.module.js';
export { CHANGE_ENDPOINTS, READ_ENDPOINTS, SEND_AGAIN } from './webhook-access.js';
export { WebhooksModule } from './webhooks.module.js';
