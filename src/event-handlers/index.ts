export { EventHandler, type EventHandlerProvider, type HandledEvent } from './event-handler.js';
export { EventHandlersModule } from './event-handlers.module.js';
