import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

import { Problem } from '../api/problem.js';

type Json = Record<string, unknown>;

/** Whether this browser knows passkeys, and the page was loaded in a way that it allows them. */
export const knowsPasskeys = typeof window.PublicKeyCredential === 'function';

/**
 * Has the browser ask for one of the person's passkeys. Loaded when it is used.
 * @throws Problem where they show none
 */
export function showPasskey(options: Json): Promise<Json> {
  return orProblem(async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
    return { ...(await startAuthentication({ optionsJSON })) };
  });
}

/**
 * Has the browser make a new passkey.
 * @throws Problem where the person makes none
 */
export function makePasskey(options: Json): Promise<Json> {
  return orProblem(async () => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    return { ...(await startRegistration({ optionsJSON })) };
  });
}

/** Browsers tell little, so that pages learn nothing of who has which device. */
async function orProblem(ask: () => Promise<Json>): Promise<Json> {
  try {
    return await ask();
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    const message = isKnown
      ? 'This device has a passkey of your account already.'
      : 'No passkey was used. Try again, or choose another way.';
    throw new Problem({ code: 'cancelled', message });
  }
}
