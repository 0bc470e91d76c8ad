import { type ScriptVersion, scriptsArchive, scriptsCreate } from '@gatehouse/client/operations';

import { Problem, isProblem } from '../../../api/problem.js';
import { send } from '../../../api/send.js';
import { archiveOf, base64 } from './archive.js';
import type { Draft, MadeVersion } from './draft.js';
import { fingerprintOf } from './fingerprint.js';
import { installs, versionSettings } from './version-body.js';

const PATIENCE_MS = 10 * 60_000;
const PAUSE_MS = 2_000;

export interface MakeOptions {
  /** What is being done, in words for the person who waits. */
  onStep: (words: string) => void;
  /** Whether the script is there now. */
  onScript: (exists: boolean) => void;
}

/** The key of the last attempt whose result never came: the same content is sent again under it. */
let unanswered: { content: string; key: string } | null = null;

/**
 * The version that is the draft as it stands: the one made last, if nothing has changed since, else a new one. Makes the
 * script as well, where there is none yet.
 * @throws Problem
 */
export async function madeVersion(draft: Draft, { onStep, onScript }: MakeOptions): Promise<MadeVersion> {
  const settings = versionSettings(draft.settings);
  if (Array.isArray(settings)) {
    throw new Problem({ message: 'Some settings have to be mended first.', details: settings });
  }
  const fingerprint = fingerprintOf(draft.files, settings);
  const message = draft.message?.trim() ?? '';
  const isSaid = message === '' || message === draft.made?.message;
  if (draft.made?.fingerprint === fingerprint && isSaid) return draft.made;

  onStep('Packing the files');
  const archive = base64(await archiveOf(draft.files));
  if (!draft.exists) {
    const { slug, name, description } = draft;
    onStep('Making the script');
    await scriptsCreate({ body: { slug, name: name.trim() || slug, description } });
    onScript(true);
  }
  const body = JSON.stringify({ ...settings, archive, ...(message && { message }) });
  const content = `${fingerprint} ${message}`;
  const key = unanswered?.content === content ? unanswered.key : newKey();
  unanswered = { content, key };
  onStep(stepAt(0, false));
  const sending = patiently(() =>
    send<ScriptVersion>({
      path: `/v1/scripts/${encodeURIComponent(draft.slug)}/versions`,
      type: 'application/json',
      body,
      headers: { 'Idempotency-Key': key },
      onProgress: (share) => onStep(stepAt(share, installs(draft))),
    }),
  );
  const { number, inputSchema } = await sending.catch(async (error: unknown) => {
    // Without its first version the script would only stand in the list, and keep its slug.
    if (!draft.exists && isRefusal(error) && (await isRemoved(draft.slug))) onScript(false);
    throw error;
  });
  unanswered = null;
  return { number, fingerprint, inputSchema, message };
}

/** After any other failure the version may be made all the same. */
function isRefusal(error: unknown): boolean {
  return isProblem(error) && error.status >= 400 && error.status < 500;
}

async function isRemoved(slug: string): Promise<boolean> {
  const removing = scriptsArchive({ path: { slug }, query: { removeIf: 'unused' } });
  return removing.then(
    () => true,
    () => false,
  );
}

/** By tens, since each step is read aloud. */
function stepAt(share: number, installsPackages: boolean): string {
  if (share < 1) return `Sending the files: ${Math.floor(share * 10) * 10}%`;
  return installsPackages ? 'Installing its packages, which can take minutes' : 'Making the version';
}

/** Asks again, under the same key, while the first request goes on or the service has no room. */
async function patiently<Data>(attempt: () => Promise<Data>): Promise<Data> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const passes = isProblem(error) && (error.code === 'idempotency_in_progress' || error.status === 503);
      if (!passes && !(isProblem(error) && error.status === 0)) unanswered = null;
      if (!passes || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? PAUSE_MS));
    }
  }
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
