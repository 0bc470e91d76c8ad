import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';

import { plainText } from '../terminal/plain-text.js';

/** Writes what was sent to standard output: as it is for a program, and for a terminal what can be shown of it. */
export async function writeBody(response: Response): Promise<void> {
  if (response.body === null) return;
  const content = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  if (process.stdout.isTTY) await pipeline(content, shown, process.stdout, { end: false });
  else await pipeline(content, process.stdout, { end: false });
}

async function* shown(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield plainText(decoder.decode(chunk, { stream: true }));
}
