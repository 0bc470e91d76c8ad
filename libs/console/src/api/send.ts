import { basePath } from './base.js';
import { noticedProblem } from './client.js';
import { jsonOrNull } from './json-or-null.js';
import { placeHeaders } from './place.js';
import { Problem } from './problem.js';

interface Sending {
  /** Below the service's address: `/v1/files?name=sales.csv`. */
  path: string;
  type: string;
  body: Blob | string;
  headers?: Record<string, string>;
  /** Told how much of it has been sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal?: AbortSignal;
}

/**
 * Posts what may take a while to send. By XMLHttpRequest, since `fetch` does not tell how far it has come.
 * @throws Problem
 */
export function send<Result>({ path, type, body, headers, onProgress, signal }: Sending): Promise<Result> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${basePath}${path}`);
    const all = { 'content-type': type, ...placeHeaders(), ...headers };
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const told = jsonOrNull(request.responseText);
      if (request.status < 300) resolve(told as Result);
      else reject(noticedProblem(told, responseOf(request)) as Error);
    };
    request.onerror = () => reject(noticedProblem(null, undefined) as Error);
    request.onabort = () => reject(new Problem({ code: 'aborted', message: 'The upload was stopped.' }));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
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
