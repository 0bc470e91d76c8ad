import type { File as StoredFile } from '@gatehouse/client';

import { basePath } from '../../api/base.js';
import { actInPlace } from '../../api/client.js';
import { problemOf } from '../../api/problem.js';
import { saveAs } from '../save-as.js';

export type ShownFile = Pick<StoredFile, 'id' | 'name' | 'type' | 'size' | 'downloadUrl'>;

/** The bytes of a file, as nothing but bytes. */
export async function fileContent({ id }: ShownFile): Promise<ArrayBuffer> {
  const request = actInPlace(
    new Request(`${basePath}/v1/files/${id}/content`, { credentials: 'same-origin' }),
  );
  const response = await fetch(request).catch((error: unknown) => {
    throw problemOf(error, undefined);
  });
  if (!response.ok) throw problemOf(await response.json().catch(() => null), response);
  return response.arrayBuffer();
}

/** Where links are off, the page reads the file and keeps it. */
export async function download(file: ShownFile): Promise<void> {
  saveAs(new Blob([await fileContent(file)], { type: 'application/octet-stream' }), baseName(file.name));
}

/** A file that a run wrote is named by its path. */
export function baseName(name: string): string {
  return name.split('/').at(-1) || 'file';
}
