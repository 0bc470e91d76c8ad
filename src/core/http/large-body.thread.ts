import { scanJson } from '../../../libs/exact-json/index.js';
import { type ErrorDetail, InvalidRequest } from '../errors/problems.js';
import { parseJson } from './json-body.js';

/** A field of a body as its JSON text, and how many values are in it. */
interface LargeField {
  name: string;
  json: string;
  values: number;
}

export type LargeBody =
  { fields: LargeField[] } | { problem: { message: string; details: ErrorDetail[] | undefined } };

/** Reads a body in a thread. It returns texts: to copy an object out of the thread is as much work as to parse it. */
export function readLargeBody(body: Uint8Array): LargeBody {
  try {
    const value = parseJson(body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidRequest('The body must be a JSON object.');
    }
    const fields = Object.entries(value).map(([name, field]) => {
      const json = JSON.stringify(field);
      return { name, json, values: scanJson(json).values };
    });
    return { fields };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { problem: { message: error.message, details: error.details } };
  }
}
