import type { DraftFile } from './draft.js';
import { archiveProblem, isLeftOut, withoutWrapper } from './folder.js';
import { TooMuch, through } from '../../../kit/archive/streams.js';
import { MAX_UNPACKED_BYTES, type TarFile, filesOfTar, tarOf } from '../../../kit/archive/tar.js';
import { textOf } from '../../../kit/archive/text-of.js';

const CHUNK = 32 * 1024;

/**
 * The files as a .tar.gz.
 * @throws Error where it is larger than the service takes
 */
export async function archiveOf(files: DraftFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const packed = await through(
    tarOf(
      files.map(({ path, content, executable }) => ({
        path,
        bytes: typeof content === 'string' ? encoder.encode(content) : content,
        executable,
      })),
    ),
    new CompressionStream('gzip'),
    Infinity,
  );
  const problem = archiveProblem(packed.length);
  if (problem) throw new Error(problem);
  return packed;
}

export interface OpenedArchive {
  files: DraftFile[];
  leftOut: string[];
}

/**
 * The files of a .tar.gz, without what a draft does not take (see `LEFT_OUT`, and links).
 * @throws Error where it is none, or holds too much
 */
export async function filesOfArchive(bytes: Uint8Array<ArrayBuffer>): Promise<OpenedArchive> {
  const tar = await through(bytes, new DecompressionStream('gzip'), MAX_UNPACKED_BYTES).catch(
    (error: unknown) => {
      if (error instanceof TooMuch) throw error;
      throw new Error('This is not a .tar.gz archive, or it is damaged.');
    },
  );
  const { files, rootNamed, leftOut } = filesOfTar(tar);
  const kept = (rootNamed ? files : withoutWrapper(files)).filter(({ path }) => !isLeftOut(path));
  return { files: kept.map(draftFile), leftOut };
}

export function draftFile({ path, bytes, executable }: TarFile): DraftFile {
  return { path, content: textOf(bytes) ?? bytes, executable };
}

export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}
