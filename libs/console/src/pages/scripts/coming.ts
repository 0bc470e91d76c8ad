import { client } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';

export interface VersionFile {
  path: string;
  kind: 'file' | 'symlink' | 'link';
  size: number;
  executable: boolean;
  sha256: string | null;
}

/** What is in a version never changes. */
export const versionFilesOptions = (slug: string, number: number) =>
  queryOptions({
    queryKey: [{ _id: 'versionFilesList', path: { slug, number } }],
    queryFn: ({ signal }) =>
      read<{ items: VersionFile[]; more: boolean }>({
        url: '/v1/scripts/{slug}/versions/{number}/files',
        path: { slug, number },
        signal,
      }),
    staleTime: Infinity,
  });

export const versionFileOptions = (slug: string, number: number, path: string) =>
  queryOptions({
    queryKey: [{ _id: 'versionFilesRead', path: { slug, number }, query: { path } }],
    queryFn: ({ signal }) =>
      read<ArrayBuffer>({
        url: '/v1/scripts/{slug}/versions/{number}/file',
        path: { slug, number },
        query: { path },
        parseAs: 'arrayBuffer',
        signal,
      }),
    staleTime: Infinity,
  });

async function read<Data>(options: Parameters<typeof client.get>[0]): Promise<Data> {
  const { data } = await client.get({ ...options, throwOnError: true });
  return data as Data;
}
