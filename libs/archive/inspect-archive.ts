import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { badArchive, badEntry } from './archive-limits.js';
import { ArchiveTree, type EntryKind } from './archive-tree.js';
import { checkArchiveBytes, decodeArchive } from './decode-archive.js';
import { readEntries, type ArchiveEntry } from './read-entries.js';

const MAX_MANIFEST_BYTES = 1024 * 1024;
const MANIFESTS = ['package.json', 'requirements.txt', 'pyproject.toml'] as const;

type ManifestName = (typeof MANIFESTS)[number];

interface ArchiveFile {
  /** Relative to the script's folder. */
  path: string;
  kind: Exclude<EntryKind, 'directory'>;
  /** Unpacked bytes; 0 for a link. */
  size: number;
  /** What it is unpacked with. */
  mode: 0o644 | 0o755;
}

export interface InspectedArchive {
  bytes: Buffer;
  /** Of the bytes as uploaded, in hex. */
  sha256: string;
  files: ArchiveFile[];
  /** Their paths, also of those that only the paths of others name. */
  folders: string[];
  /** All files together, in bytes. */
  unpackedBytes: number;
  /** The folder around everything that was taken off the paths, or null. */
  wrapper: string | null;
  /** The texts of the files at the top that say how to run and install. */
  manifests: Partial<Record<ManifestName, string>>;
}

/**
 * Reads an uploaded archive (base64 or its bytes) through and checks everything about it.
 *
 * @throws InvalidInput at `archive`, naming the entry where it is one
 */
export async function inspectArchive(archive: string | Buffer): Promise<InspectedArchive> {
  const bytes = typeof archive === 'string' ? decodeArchive(archive) : checkArchiveBytes(archive);
  const tree = new ArchiveTree();
  const files: ArchiveFile[] = [];
  const manifests = new Map<string, string>();
  let unpackedBytes = 0;
  for await (const entry of readEntries(bytes, tree)) {
    if (entry.kind === 'directory') continue;
    unpackedBytes += entry.size;
    files.push({
      path: entry.path,
      kind: entry.kind,
      size: entry.size,
      mode: entry.executable ? 0o755 : 0o644,
    });
    if (isManifest(entry)) manifests.set(entry.path, await text(entry));
  }
  if (files.length === 0) throw badArchive('holds no files');
  const wrapper = tree.wrapper();
  const prefix = wrapper === null ? '' : `${wrapper}/`;
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    files: files.map((file) => ({ ...file, path: file.path.slice(prefix.length) })),
    folders: tree
      .folders()
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length)),
    unpackedBytes,
    wrapper,
    manifests: Object.fromEntries(
      MANIFESTS.map((name) => [name, manifests.get(prefix + name)]).filter(
        ([, content]) => content !== undefined,
      ),
    ) as Partial<Record<ManifestName, string>>,
  };
}

/**
 * The content of one file of an inspected archive, or null where there is no such file. Reads the archive again.
 *
 * @throws InvalidInput where the file has more than `maxBytes`
 */
export async function readArchiveFile(
  { bytes, wrapper }: InspectedArchive,
  path: string,
  maxBytes: number,
): Promise<Buffer | null> {
  const wanted = wrapper === null ? path : `${wrapper}/${path}`;
  for await (const entry of readEntries(bytes, new ArchiveTree())) {
    if (entry.path === wanted && entry.kind === 'file') return await content(entry, maxBytes);
  }
  return null;
}

/** At the top, or one folder below it, for that folder may turn out to be the script's. */
function isManifest({ path, kind }: ArchiveEntry): boolean {
  const steps = path.split('/');
  return kind === 'file' && steps.length <= 2 && (MANIFESTS as readonly string[]).includes(steps.at(-1)!);
}

async function text(entry: ArchiveEntry): Promise<string> {
  return (await content(entry, MAX_MANIFEST_BYTES)).toString('utf8');
}

async function content(entry: ArchiveEntry, maxBytes: number): Promise<Buffer> {
  if (entry.size > maxBytes) throw badEntry(entry.path, `is larger than ${maxBytes} bytes`);
  return buffer(entry.content);
}
