import type { File as StoredFile } from '@gatehouse/client';

import { basePath } from '../../api/base.js';
import { DEFAULT_ENVIRONMENT, currentPlace } from '../../api/place.js';
import { Problem, problemOf } from '../../api/problem.js';
import { jsonOrNull } from '../json-or-null.js';

interface UploadOptions {
  /** Told how much of it has been sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Sends a file to the service. By XMLHttpRequest, since `fetch` does not tell how far it has come. */
export function upload(
  file: Blob & { name: string },
  { onProgress, signal }: UploadOptions,
): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${basePath}/v1/files?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('content-type', file.type || 'application/octet-stream');
    const place = currentPlace();
    if (place) request.setRequestHeader('x-workspace', place.workspace);
    if (place && place.environment !== DEFAULT_ENVIRONMENT) {
      request.setRequestHeader('x-environment', place.environment);
    }
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = jsonOrNull(request.responseText);
      if (request.status < 300) resolve(body as StoredFile);
      else reject(problemOf(body, responseOf(request)) as Error);
    };
    request.onerror = () => reject(problemOf(null, undefined) as Error);
    request.onabort = () => reject(new Problem({ code: 'aborted', message: 'The upload was stopped.' }));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['retry-after', 'x-request-id']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(null, { status: request.status, headers });
}
