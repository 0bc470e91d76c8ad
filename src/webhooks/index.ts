export { DeliveryWorkerModule } from './sending/delivery-worker.module.js';
export { WebhooksModule } from './webhooks.module.js';
