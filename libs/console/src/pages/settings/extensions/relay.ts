import { ask } from '../../../api/ask.js';
import { noticedProblem } from '../../../api/client.js';
import { jsonOrNull } from '../../../api/json-or-null.js';
import { declaredRequest } from './declared-request.js';

/** What a page is told of a request: its response, or why there was none. */
export type Told = { status: number; body: unknown } | { refused: string };

/** Makes a request that an embedded page asks for, if the page's declaration names it. */
export async function relayed(wanted: object, routes: readonly string[]): Promise<Told> {
  const request = declaredRequest(wanted, routes);
  if (request === null) return { refused: 'The page does not declare this route.' };
  try {
    const response = await ask(request);
    const body = jsonOrNull(await response.text());
    // Where the session has ended, the console asks to sign in again.
    if (!response.ok) noticedProblem(body, response);
    return { status: response.status, body };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : 'The request failed.' };
  }
}
