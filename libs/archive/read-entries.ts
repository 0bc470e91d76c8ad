import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { cutText } from '../cut-text/index.js';
import { InvalidInput } from '../invalid-input/index.js';
import { badArchive, badEntry, MAX_ENTRIES, MAX_UNPACKED_BYTES } from './archive-limits.js';
import { ArchiveTree, type EntryKind } from './archive-tree.js';
import { BlockWatch } from './block-watch.js';
import { isPlatformLitter, plainPath, symlinkTarget } from './entry-path.js';

const CHUNK = 64 * 1024;
const BLOCK = 512;

/** What the parser hands out, which is more than its types say: no type for an unknown kind, no link name for a file. */
interface RawHeader {
  name: string;
  type: string | null;
  size: number;
  mode: number;
  linkname: string | null;
  /** Where the content begins in the tar stream. */
  byteOffset: number;
  pax: Record<string, string> | null;
}

type RawEntry = AsyncIterable<Buffer> & { header: unknown; resume(): unknown };

export interface ArchiveEntry {
  /** The path in its plain form, from the archive's root. */
  path: string;
  kind: EntryKind;
  size: number;
  executable: boolean;
  /** Where a link points: relative to its own folder (symlink), or the plain path of an earlier file (link). */
  target: string | null;
  /** The content. What is left of it unread is skipped. */
  content: AsyncIterable<Buffer>;
}

/**
 * The entries of a .tar.gz file in order, each checked before it is handed out; checks of the whole come at the end, so use nothing
 * before the last one. What macOS adds (`._*`, `.DS_Store`, `__MACOSX`) is left out. Memory does not grow with the content.
 *
 * @throws InvalidInput at `archive`, naming the entry where it is one
 */
export async function* readEntries(
  bytes: Buffer,
  tree: ArchiveTree,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const gunzip = createGunzip({ chunkSize: CHUNK });
  const watch = new BlockWatch();
  const tar = extract();
  const pumping = pipeline(Readable.from([bytes]), gunzip, watch, tar);
  // Its failure also ends the loop below, which throws the more telling error first.
  pumping.catch(() => undefined);
  try {
    yield* checkedEntries(tar as AsyncIterable<RawEntry>, tree, watch);
    await pumping;
    checkGzipEnd(gunzip, bytes);
  } catch (error) {
    throw asProblem(error);
  } finally {
    gunzip.destroy();
    tar.destroy();
  }
}

async function* checkedEntries(
  tar: AsyncIterable<RawEntry>,
  tree: ArchiveTree,
  watch: BlockWatch,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  let entries = 0;
  let unpacked = 0;
  let end = 0;
  for await (const stream of tar) {
    const header = stream.header as RawHeader;
    if (watch.endsAt(end)) throw badEntry(header.name, "comes after the archive's end");
    const entry = describe(header, stream, tree);
    if (++entries > MAX_ENTRIES) throw badArchive('holds more than 20,000 entries');
    unpacked += entry.size;
    if (unpacked > MAX_UNPACKED_BYTES)
      throw badEntry(header.name, 'brings the unpacked size to more than 200 MB');
    end = header.byteOffset + Math.ceil(entry.size / BLOCK) * BLOCK;
    if (!isPlatformLitter(entry.path)) {
      tree.add(entry.path, entry.kind);
      if (header.name.startsWith('./')) tree.noteRoot();
      if (entry.path !== '') yield entry;
    }
    stream.resume();
  }
  if (!watch.endsFrom(end)) throw badArchive("has data after the archive's last entry");
}

function describe(header: RawHeader, content: AsyncIterable<Buffer>, tree: ArchiveTree): ArchiveEntry {
  const { name, size } = header;
  const path = plainPath(name);
  const kind = kindOf(header);
  if (Object.keys(header.pax ?? {}).some((key) => key.startsWith('GNU.sparse'))) {
    throw badEntry(name, 'is a sparse file; pack it without --sparse');
  }
  if (!Number.isSafeInteger(size) || size < 0) throw badEntry(name, 'has a size that is not a number');
  if (kind !== 'file' && size > 0)
    throw badEntry(name, `is a ${kind}, which has no content, but comes with some`);
  return {
    path,
    kind,
    size,
    executable: (header.mode & 0o111) !== 0,
    target: targetOf(header, path, kind, tree),
    content,
  };
}

function kindOf({ name, type }: RawHeader): EntryKind {
  switch (type) {
    case 'file':
    case 'contiguous-file':
      return 'file';
    case 'directory':
    case 'symlink':
    case 'link':
      return type;
    case 'character-device':
    case 'block-device':
      throw badEntry(name, 'is a device; only files, folders and links are taken');
    case 'fifo':
      throw badEntry(name, 'is a named pipe; only files, folders and links are taken');
    default:
      throw badEntry(
        name,
        'is of a kind that is not taken (sparse, split or unknown); only files, folders and links are',
      );
  }
}

function targetOf({ linkname }: RawHeader, path: string, kind: EntryKind, tree: ArchiveTree): string | null {
  if (kind === 'symlink') {
    const { target, climbs } = symlinkTarget(path, linkname ?? '');
    tree.noteClimb(path, climbs);
    return target;
  }
  if (kind !== 'link') return null;
  const target =
    linkname && !linkname.startsWith('/') && !linkname.split('/').includes('..') ? plainPath(linkname) : '';
  const known = tree.kindOf(target);
  if (known !== 'file' && known !== 'link') {
    throw badEntry(
      path,
      `is a hard link to ${JSON.stringify(cutText(linkname ?? '', 200))}, which is no earlier file of the archive`,
    );
  }
  return target;
}

/**
 * Node ignores what follows the compressed data; a reader that does not would see another archive. Zeros are padding: bsdtar, the `tar`
 * of macOS, Windows and FreeBSD, writes them into a pipe.
 */
function checkGzipEnd(gunzip: Gunzip, bytes: Buffer): void {
  const extra = bytes.length - gunzip.bytesWritten;
  if (bytes.subarray(gunzip.bytesWritten).some((byte) => byte !== 0))
    throw badArchive(`has ${extra} bytes after the end of the compressed data`);
}

function asProblem(error: unknown): unknown {
  if (error instanceof InvalidInput || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'Z_BUF_ERROR') return badArchive('is cut short: the compressed data ends too early');
  if (code.startsWith('Z_')) return badArchive(`is damaged: ${error.message}`);
  if (/^(Invalid tar header|Invalid header|Header exceeds|Unexpected end of data)/.test(error.message)) {
    return badArchive(`is not a valid tar archive inside: ${error.message.split('.')[0]}`);
  }
  return error;
}
