import { Placeholders } from './template.js';

/** How a trigger's inputs take values from its event. */
export const EVENT_PLACEHOLDERS = new Placeholders({
  word: 'event',
  prefix: 'event.data.',
  maker: 'the trigger makes of this event',
});

/** How a hook's inputs take values from the request that came in. */
export const REQUEST_PLACEHOLDERS = new Placeholders({
  word: 'request',
  prefix: 'request.',
  maker: 'the hook makes of this request',
  roots: ['body', 'headers', 'query'],
});
