import { trialsArchive, trialsCreate, trialsFind } from '../generated/sdk.gen.js';
import type { ScriptFolderInput, Trial } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';
import { CREATE_TIMEOUT_MS, inBase64 } from './versions.js';

export interface TrialInput extends Omit<ScriptFolderInput, 'archive'> {
  /** The script's folder as a .tar.gz, as bytes or in base64. */
  archive: string | Uint8Array;
}

/** Folders to try: versions without numbers, which are gone after a day and which nobody can publish. */
export class Trials {
  constructor(private readonly calls: Calls) {}

  /** Installs what the folder depends on. `runs.tryOut` runs it. */
  create(slug: string, { archive, ...input }: TrialInput, options?: CallOptions): Promise<Trial> {
    const body = { ...input, archive: inBase64(archive) };
    const patient = { timeoutMs: CREATE_TIMEOUT_MS, ...options };
    return this.calls.send(trialsCreate<true>, { path: { slug }, body }, patient);
  }

  get(slug: string, trialId: string, options?: CallOptions): Promise<Trial> {
    return this.calls.send(trialsFind<true>, { path: { slug, trialId } }, options);
  }

  /** The .tar.gz as it was sent. */
  archive(slug: string, trialId: string, options?: CallOptions): Promise<Response> {
    return this.calls.open(trialsArchive<true>, { path: { slug, trialId } }, options);
  }
}
