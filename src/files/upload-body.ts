import { InvalidRequest, ProblemError } from '../core/errors/index.js';
import type { GatehouseRequest } from '../core/http/index.js';
import { BlobTooLarge, type ByteSource } from '../core/storage/index.js';
import { baseName, charactersProblem, fileNameProblem } from './file-name.js';
import { UNKNOWN_TYPE, mediaType } from './media-type.js';
import { cutOff, readForm } from './multipart-form.js';

/** 100 MiB, so that what other programs show as 100 MB is taken. */
export const MAX_UPLOAD_BYTES = 104_857_600;
/** What the boundaries and headers of a form with one file need at most. */
const FORM_OVERHEAD = 65_536;

export interface IncomingFile {
  name: string;
  type: string;
  bytes: ByteSource;
}

/**
 * Reads the one file of a request: a form, or the bytes themselves with a `name` in the query. When something is wrong,
 * it reads past the rest of the body: a client that is still writing has to hear of it.
 */
export async function receiveUpload<T>(
  request: GatehouseRequest,
  name: string | undefined,
  receive: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  try {
    return await (isForm(request) ? fromForm(request, name, receive) : fromBody(request, name, receive));
  } catch (error) {
    request.resume();
    throw error;
  }
}

function isForm(request: GatehouseRequest): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

async function fromForm<T>(
  request: GatehouseRequest,
  name: string | undefined,
  receive: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  if (name !== undefined)
    throw InvalidRequest.at('name', 'is for a body without a form; a form gives it with its part');
  checkLength(request, MAX_UPLOAD_BYTES + FORM_OVERHEAD);
  return readForm(request, async ({ filename, type, bytes }) =>
    receive({ name: checkedName('file', filename), type: checkedType(type), bytes }),
  );
}

async function fromBody<T>(
  request: GatehouseRequest,
  name: string | undefined,
  receive: (file: IncomingFile) => Promise<T>,
): Promise<T> {
  if (name === undefined) {
    throw InvalidRequest.at('name', 'is missing: name the file here, or send a multipart/form-data form');
  }
  const header = request.headers['content-type'];
  const type = header === undefined ? UNKNOWN_TYPE : mediaType(header);
  if (type === null)
    throw new ProblemError(
      'unsupported_media_type',
      '`Content-Type` is malformed; it should look like text/csv.',
    );
  checkLength(request, MAX_UPLOAD_BYTES);
  return receive({ name: checkedName('name', name), type, bytes: bytesOf(request) });
}

function checkLength(request: GatehouseRequest, most: number): void {
  if (Number(request.headers['content-length'] ?? 0) > most) throw new BlobTooLarge(MAX_UPLOAD_BYTES);
}

function checkedName(path: string, text: string): string {
  const name = baseName(text);
  // Also of the folders, which are left out: the document says which characters there may be.
  const problem = fileNameProblem(name) ?? charactersProblem(text);
  if (problem) throw InvalidRequest.at(path, `the file's name ${problem}`);
  return name;
}

function checkedType(text: string): string {
  const type = mediaType(text);
  if (type === null)
    throw InvalidRequest.at('file', 'its media type is malformed; it should look like text/csv');
  return type;
}

/** Does not destroy the request when it is left early: that would cut the connection before a response is sent. */
export async function* bytesOf(request: GatehouseRequest): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
      yield chunk;
  } catch (error) {
    throw request.complete ? error : cutOff();
  }
}
