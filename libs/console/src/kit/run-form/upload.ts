import type { File as StoredFile } from '@gatehouse/client/operations';

import { send } from '../../api/send.js';

interface UploadOptions {
  /** Told how much of it has been sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Sends a file to the service. */
export function upload(file: Blob & { name: string }, options: UploadOptions): Promise<StoredFile> {
  return send<StoredFile>({
    path: `/v1/files?name=${encodeURIComponent(file.name)}`,
    type: file.type || 'application/octet-stream',
    body: file,
    ...options,
  });
}
