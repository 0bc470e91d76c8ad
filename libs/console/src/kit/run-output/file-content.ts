import { type File as StoredFile, filesContent } from '@gatehouse/client/operations';

import { saveAs } from '../save-as.js';

export type ShownFile = Pick<StoredFile, 'id' | 'name' | 'type' | 'size' | 'downloadUrl'>;

/** The bytes of a file, as nothing but bytes. */
export async function fileContent({ id }: ShownFile): Promise<ArrayBuffer> {
  const { data } = await filesContent({ path: { fileId: id }, parseAs: 'arrayBuffer' });
  return data as unknown as ArrayBuffer;
}

/** Where links are off, the page reads the file and keeps it. */
export async function download(file: ShownFile): Promise<void> {
  saveAs(new Blob([await fileContent(file)], { type: 'application/octet-stream' }), baseName(file.name));
}

/** A file that a run wrote is named by its path. */
export function baseName(name: string): string {
  return name.split('/').at(-1) || 'file';
}
