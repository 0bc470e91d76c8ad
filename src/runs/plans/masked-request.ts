import { visible, type WithheldRequest } from '../../../libs/egress/index.js';
import { maskedHeader, maskedQuery } from '../shown-text.js';
import { storableText } from '../output/storable-text.js';
import type { PlannedHeader, PlannedRequest } from './planned-request.entity.js';

export type MaskedRequest = Omit<PlannedRequest, 'runId' | 'number'>;

/** Of a column. */
const MOST_BYTES = 2 ** 31 - 1;

/**
 * A request as people see it: without the values of secrets, and of what is called like one.
 *
 * @param mask of the run's secrets, for a whole text
 */
export function maskedRequest(request: WithheldRequest, mask: (text: string) => string): MaskedRequest {
  const { at, protocol, host, method, target, headers, body } = request;
  const masked = (text: string): string => storableText(visible(mask(text)));
  const bodyText = body.text === null ? null : masked(body.text);
  return {
    at: new Date(at),
    protocol,
    host,
    method: masked(method),
    target: masked(withMaskedQuery(target)),
    headers: headers.map(([name, value]): PlannedHeader => ({
      name: masked(name),
      value: masked(maskedHeader(name, value)),
    })),
    bodyText,
    bodyBytes: Math.min(body.bytes, MOST_BYTES),
    bodySha256: bodyText === null ? body.sha256 : null,
  };
}

function withMaskedQuery(target: string): string {
  const [path = '', ...query] = target.split('?');
  return query.length === 0 ? path : `${path}?${maskedQuery(query.join('?'))}`;
}
