import { versionsArchive } from '@gatehouse/client/operations';
import { queryOptions } from '@tanstack/react-query';

import { through } from './streams.js';
import { MAX_UNPACKED_BYTES, filesOfTar } from './tar.js';

/** A file of a version's archive. */
export interface VersionFile {
  path: string;
  /** What the archive holds besides is a link, which has no content of its own. */
  kind: 'file' | 'link';
  size: number;
  executable: boolean;
  content: Uint8Array<ArrayBuffer>;
}

/** The files of a version, by path. The archive is unpacked here; what is in a version never changes. */
export const versionFilesOptions = (slug: string, number: number) =>
  queryOptions({
    queryKey: [{ _id: 'versionFiles', path: { slug, number } }],
    queryFn: async ({ signal }): Promise<VersionFile[]> => {
      const { data } = await versionsArchive({ path: { slug, number }, parseAs: 'arrayBuffer', signal });
      const tar = await through(
        new Uint8Array(data as unknown as ArrayBuffer),
        new DecompressionStream('gzip'),
        MAX_UNPACKED_BYTES,
      );
      return filesOfVersion(tar);
    },
    staleTime: Infinity,
    // Archives are up to 10 MB: not kept for longer than somebody looks at them.
    gcTime: 60_000,
  });

export function filesOfVersion(tar: Uint8Array<ArrayBuffer>): VersionFile[] {
  const { files, leftOut } = filesOfTar(tar);
  const last = new Map<string, VersionFile>();
  for (const { path, bytes, executable } of files) {
    last.set(path, { path, kind: 'file', size: bytes.length, executable, content: bytes });
  }
  for (const path of leftOut) last.set(path, linkAt(path));
  return [...last.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function linkAt(path: string): VersionFile {
  return { path, kind: 'link', size: 0, executable: false, content: new Uint8Array() };
}

export interface FileChange {
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before: VersionFile | null;
  after: VersionFile | null;
}

/** What differs between the files of two versions, by path. */
export function fileChanges(before: readonly VersionFile[], after: readonly VersionFile[]): FileChange[] {
  const earlier = new Map(before.map((file) => [file.path, file]));
  const later = new Map(after.map((file) => [file.path, file]));
  return [...new Set([...earlier.keys(), ...later.keys()])].sort().flatMap((path): FileChange[] => {
    const [from, to] = [earlier.get(path) ?? null, later.get(path) ?? null];
    if (!from) return [{ path, kind: 'added', before: from, after: to }];
    if (!to) return [{ path, kind: 'removed', before: from, after: to }];
    return isSame(from, to) ? [] : [{ path, kind: 'changed', before: from, after: to }];
  });
}

function isSame(one: VersionFile, other: VersionFile): boolean {
  return (
    one.kind === other.kind &&
    one.executable === other.executable &&
    one.size === other.size &&
    one.content.every((byte, at) => byte === other.content[at])
  );
}
