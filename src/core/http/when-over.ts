import type { GatehouseResponse } from './request.js';

/** Does something once a response is over, or its client has gone: at once where that has happened while nobody looked. */
export function whenOver(response: GatehouseResponse, then: () => void): void {
  if (response.closed) then();
  else response.once('close', then);
}
