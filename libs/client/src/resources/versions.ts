import { versionsArchive, versionsCreate, versionsFind, versionsList } from '../generated/sdk.gen.js';
import type { ScriptVersion, ScriptVersionInput, VersionsListData } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

export interface VersionInput extends Omit<ScriptVersionInput, 'archive'> {
  /** The script's folder as a .tar.gz, as bytes or in base64. */
  archive: string | Uint8Array;
}

/** Its dependencies are installed before the response. */
export const CREATE_TIMEOUT_MS = 400_000;

/** The versions of scripts, which never change. */
export class Versions {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(slug: string, query?: VersionsListData['query'], options?: CallOptions): Pages<ScriptVersion> {
    return this.calls.list(versionsList<true>, { path: { slug }, query }, options);
  }

  /** Makes a version, installs what it depends on, and does not publish it. */
  create(slug: string, { archive, ...input }: VersionInput, options?: CallOptions): Promise<ScriptVersion> {
    const body = { ...input, archive: inBase64(archive) };
    const patient = { timeoutMs: CREATE_TIMEOUT_MS, ...options };
    return this.calls.send(versionsCreate<true>, { path: { slug }, body }, patient);
  }

  get(slug: string, number: number, options?: CallOptions): Promise<ScriptVersion> {
    return this.calls.send(versionsFind<true>, { path: { slug, number } }, options);
  }

  /** The .tar.gz as it was sent. */
  archive(slug: string, number: number, options?: CallOptions): Promise<Response> {
    return this.calls.open(versionsArchive<true>, { path: { slug, number } }, options);
  }
}

/** An archive as it is sent. */
export const inBase64 = (archive: string | Uint8Array): string =>
  typeof archive === 'string' ? archive : base64Of(archive);

/** As many characters as a call takes arguments everywhere. */
const CHUNK = 8_192;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(text);
}
