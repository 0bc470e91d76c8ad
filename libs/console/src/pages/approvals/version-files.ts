import { client } from '@gatehouse/client';

export interface VersionFile {
  path: string;
  kind: 'file' | 'symlink' | 'link';
  size: number;
  executable: boolean;
  sha256: string | null;
}

export interface VersionFiles {
  items: VersionFile[];
  /** Whether there are more than are listed. */
  more: boolean;
}

export type FileChange = { path: string; change: 'added' | 'changed' | 'removed' };

export async function versionFiles(slug: string, number: number, signal: AbortSignal): Promise<VersionFiles> {
  const url = `/v1/scripts/${encodeURIComponent(slug)}/versions/${number}/files`;
  const { data } = await client.get<{ 200: VersionFiles }, unknown, true>({
    url,
    signal,
    throwOnError: true,
  });
  return data;
}

export async function versionFileText(slug: string, number: number, path: string): Promise<string> {
  const url = `/v1/scripts/${encodeURIComponent(slug)}/versions/${number}/file`;
  const { data } = await client.get<{ 200: string }, unknown, true>({
    url,
    query: { path },
    parseAs: 'text',
    throwOnError: true,
  });
  return data;
}

/** What differs between two folders, by path. */
export function fileChanges(before: VersionFile[], after: VersionFile[]): FileChange[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Set(after.map(({ path }) => path));
  const removed = before
    .filter(({ path }) => !now.has(path))
    .map(({ path }): FileChange => ({ path, change: 'removed' }));
  const rest = after.flatMap((file): FileChange[] => {
    const was = old.get(file.path);
    if (!was) return [{ path: file.path, change: 'added' }];
    return sameFile(was, file) ? [] : [{ path: file.path, change: 'changed' }];
  });
  return [...rest, ...removed].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function sameFile(one: VersionFile, other: VersionFile): boolean {
  return (
    one.kind === other.kind &&
    one.executable === other.executable &&
    one.sha256 === other.sha256 &&
    one.size === other.size
  );
}
