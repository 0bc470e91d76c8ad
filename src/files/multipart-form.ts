import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';

import { cutText } from '../../libs/cut-text/index.js';
import { InvalidRequest } from '../core/errors/index.js';

/** The one field of the form. */
const FIELD = 'file';

interface FormFile {
  /** As it was sent, with whatever folders it names. */
  filename: string;
  /** The part's media type. */
  type: string;
  bytes: Readable;
}

/** The client broke off, so nobody is left to respond to. */
export function cutOff(): InvalidRequest {
  return new InvalidRequest('The request ended before its body was whole. Nothing of it was kept.');
}

/**
 * Reads a `multipart/form-data` request with exactly one file, whose bytes `receive` has to read or destroy. When
 * anything is wrong, also behind the file, it rejects once `receive` has settled. It leaves the rest of the request
 * unread.
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
    form.on('file', (name: string | undefined, stream, filename, _encoding, type) => {
      // Whoever reads the file handles its errors. One that comes before that, without a listener, would end the process.
      stream.on('error', () => undefined);
      if (failed || name !== FIELD || received) {
        stream.resume();
        fail(unexpected(name, received !== undefined));
        return;
      }
      bytes = stream;
      received = receive({ filename, type, bytes: stream });
      received.catch(fail);
    });
    form.on('field', (name: string | undefined) =>
      fail(
        name === FIELD
          ? InvalidRequest.at(FIELD, 'must be a file: its part needs a filename')
          : unexpected(name, false),
      ),
    );
    form.on('error', (error) => fail(malformed(error)));
    form.on('finish', () => {
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

function openForm(request: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      // Names are cut to their last part by our own rule.
      preservePath: true,
      isPartAFile: (_field, _type, filename) => filename !== undefined,
      limits: { fieldSize: 1024, headerPairs: 32, headerSize: 16_384 },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function unexpected(name: string | undefined, second: boolean): InvalidRequest {
  if (name === FIELD && second)
    return InvalidRequest.at(FIELD, 'must be one file: upload each with a request of its own');
  return InvalidRequest.at(
    cutText(name ?? '', 100) || 'body',
    `is not a field of this form, which takes one file as "${FIELD}"`,
  );
}

function malformed(error: unknown): InvalidRequest {
  return new InvalidRequest(
    `The body is not a readable multipart/form-data form: ${(error as Error).message}.`,
  );
}
