import type { Gatehouse } from '@gatehouse/client';

import { FileToUpload } from './input-values.js';

/** Sends the files, and names them by their ids. */
export async function uploaded(
  gatehouse: Gatehouse,
  inputs: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const send = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(send));
    return value instanceof FileToUpload ? (await gatehouse.files.upload(value.path)).id : value;
  };
  const entries = Object.entries(inputs).map(async ([name, value]) => [name, await send(value)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
