import type { PlannedResponse } from '../../../libs/egress/index.js';
import { isObject } from '../../core/json/index.js';
import { CONTENT_TYPE, MAX_PLANNED_BYTES } from './host-rule.form.js';

const FIELDS = ['status', 'body', 'contentType'];
/** HTTP gives them no body. */
const EMPTY = new Set([204, 205, 304]);

/** Reads what requests of a rule get in a plan. @param refuse gets a field, empty for the whole, and what is wrong with it */
export function plannedResponse(
  value: unknown,
  refuse: (field: string, message: string) => void,
): PlannedResponse {
  if (!isObject(value)) refuse('', 'must be an object');
  const fields = new Map<string, unknown>(isObject(value) ? Object.entries(value) : []);
  for (const field of fields.keys())
    if (!FIELDS.includes(field)) refuse(field, 'is not a field of this request');
  const status = fields.get('status');
  if (isObject(value) && !isStatus(status)) refuse('status', 'must be a whole number from 200 to 599');
  const body = fields.get('body') ?? null;
  const contentType = fields.get('contentType') ?? null;
  if (body !== null && !(typeof body === 'string' && Buffer.byteLength(body) <= MAX_PLANNED_BYTES))
    refuse('body', `must be a text of at most ${MAX_PLANNED_BYTES} bytes, such as '{"id": "ch_1"}'`);
  if (body !== null && EMPTY.has(status as number))
    refuse('body', `must be left out with ${status as number}`);
  if (contentType !== null && body === null) refuse('contentType', 'must be left out where there is no body');
  else if (contentType !== null && !(typeof contentType === 'string' && CONTENT_TYPE.test(contentType)))
    refuse('contentType', 'must be a media type such as text/csv or text/plain; charset=utf-8');
  return {
    status: status as number,
    body: body as string | null,
    contentType: body === null ? null : ((contentType as string | null) ?? 'application/json'),
  };
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599;
}
