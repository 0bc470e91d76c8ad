import { jsonOrNull } from './json-or-null.js';
import { isProblem, problemOf } from './problem.js';

/**
 * Sends a request. Where the service wants the person to confirm that it is them, they are asked, and it is sent again.
 * @param confirm rejects where the person does not, and so does the request: a form stays as it was filled in
 */
export function confirmedFetch(confirm: () => Promise<void>): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === 'GET') return fetch(request);
    const again = request.clone();
    const response = await fetch(request);
    if (response.status !== 403) return response;
    const told = jsonOrNull(await response.clone().text());
    if (!isProblem(problemOf(told, response), 'confirmation_required')) return response;
    await confirm();
    return fetch(again);
  };
}
