import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import busboy from 'busboy';

import { InvalidRequest } from '../core/http/errors.js';

/** The one field of the form. */
const FIELD = 'file';

export interface FormFile {
  /** As it was sent, with whatever folders it names. */
  filename: string;
  /** The part's media type. */
  type: string;
  bytes: Readable;
}

/** What is sent to us broke off: there is nobody left to answer. */
export function cutOff(): InvalidRequest {
  return new InvalidRequest('The request ended before its body was whole. Nothing of it was kept.');
}

/**
 * Reads a `multipart/form-data` request with exactly one file, whose bytes `receive` has to read or destroy. When anything
 * is wrong, also behind the file, it rejects once `receive` has settled, and leaves the rest of the request unread.
 */
export function readForm<T>(request: IncomingMessage, receive: (file: FormFile) => Promise<T>): Promise<T> {
  const form = openForm(request);
  return new Promise((resolve, reject) => {
    let bytes: Readable | undefined;
    let received: Promise<T> | undefined;
    let failed = false;

    const fail = (error: Error): void => {
      if (failed) return;
      failed = true;
      request.unpipe(form);
      bytes?.destroy(error);
      void Promise.allSettled([received]).then(() => reject(error));
    };
    form.on('file', (name: string | undefined, stream, info) => {
      // Whoever reads it hears of its errors; without a listener, one before that would end the process.
      stream.on('error', () => undefined);
      const { filename, mimeType: type } = info as Partial<typeof info> & { mimeType: string };
      if (failed || name !== FIELD || received || filename === undefined) {
        stream.resume();
        fail(name === FIELD && !received ? unnamed() : unexpected(name, received !== undefined));
        return;
      }
      bytes = stream;
      received = receive({ filename, type, bytes: stream });
      received.catch(fail);
    });
    form.on('field', (name: string | undefined) =>
      fail(name === FIELD ? unnamed() : unexpected(name, false)),
    );
    form.on('error', (error) => fail(malformed(error)));
    form.on('close', () => {
      if (failed) return;
      if (received) received.then(resolve, reject);
      else
        fail(InvalidRequest.at(FIELD, 'is missing: send the file as the part of this name, with a filename'));
    });
    request.once('error', () => fail(cutOff()));
    request.once('close', () => {
      if (!request.complete) fail(cutOff());
    });
    if (request.destroyed) fail(cutOff());
    else request.pipe(form);
  });
}

function openForm(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      // Names are cut to their last part by our own rule.
      preservePath: true,
      defParamCharset: 'utf8',
      limits: { fieldSize: 1024 },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function unnamed(): InvalidRequest {
  return InvalidRequest.at(FIELD, 'must be a file: its part needs a filename');
}

function unexpected(name: string | undefined, second: boolean): InvalidRequest {
  if (name === FIELD && second)
    return InvalidRequest.at(FIELD, 'must be one file: upload each with a request of its own');
  return InvalidRequest.at(
    name?.slice(0, 100) || 'body',
    `is not a field of this form, which takes one file as "${FIELD}"`,
  );
}

function malformed(error: unknown): InvalidRequest {
  return new InvalidRequest(
    `The body is not a readable multipart/form-data form: ${(error as Error).message}.`,
  );
}
