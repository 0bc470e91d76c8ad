import { gzipSync } from 'node:zlib';

import { pack } from 'tar-stream';

/** A .tar.gz of these files (name → content), in base64, as a version's `archive` takes it. */
export async function archiveOf(files: Record<string, string | Buffer>): Promise<string> {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name, mode: 0o755 }, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks)).toString('base64');
}
