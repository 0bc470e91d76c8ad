import type { WorkspaceEvent } from '@gatehouse/client';

import { WrongUse } from '../failure/command-failure.js';
import { green, red } from '../terminal/colours.js';
import { signDelivery } from './sign-delivery.js';

/** As long as an endpoint has to respond. */
const PATIENCE_MS = 10_000;

/** Sends an event as a delivery of it. Gives what came back, in words. */
export async function forwardEvent(
  event: WorkspaceEvent,
  address: string,
  secret: string,
): Promise<{ ok: boolean; text: string }> {
  const { body, headers } = signDelivery(event, secret);
  try {
    const response = await fetch(address, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    return { ok: response.ok, text: (response.ok ? green : red)(String(response.status)) };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return { ok: false, text: red(cause?.code ?? message) };
  }
}

/** @throws WrongUse unless it is an address of the web */
export function checkedAddress(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (URL.canParse(url)) return url;
  throw new WrongUse(`"${text}" is no address.`, 'Give one such as http://localhost:3000/hook');
}
