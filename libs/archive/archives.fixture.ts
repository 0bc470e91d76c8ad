import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { inspectArchive } from './inspect-archive.js';

type Header = Parameters<ReturnType<typeof pack>['entry']>[0];
export type Item = Header & { content?: string | Buffer };

export async function tarOf(...items: Item[]): Promise<Buffer> {
  const tar = pack();
  for (const { content, ...header } of items) tar.entry(header, content ?? '');
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export const tgz = async (...items: Item[]): Promise<Buffer> => gzipSync(await tarOf(...items));
export const file = (name: string, content: string | Buffer = 'x'): Item => ({ name, content });

/** The paths of an archive's files, sorted. */
export const paths = async (archive: Buffer): Promise<string[]> =>
  (await inspectArchive(archive)).files.map(({ path }) => path).sort();
