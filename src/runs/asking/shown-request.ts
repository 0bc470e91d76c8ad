import { cutText } from '../../../libs/cut-text/index.js';
import { type HeldRequest, visible } from '../../../libs/egress/index.js';
import type { Masker } from '../../secrets/index.js';
import { maskedHeader, maskedQuery } from '../shown-text.js';
import { prettyJson } from './pretty-json.js';

export interface ShownRequest {
  method: string;
  /** Without the query. */
  address: string;
  /** null: there is none. */
  query: string | null;
  /** `Name: value` each. */
  headers: string[];
  /** null: it is no text. */
  body: string | null;
  bodyBytes: number;
  /** The text is the beginning of it. */
  bodyCut: boolean;
  /** null where something of the text is masked: it would tell a guess from a miss. */
  bodySha256: string | null;
  /** Of all that is sent, masked or not: the yes is for exactly this. */
  sha256: string;
}

/** Hides the run's secrets. */
export type Masking = Pick<Masker, 'maskLine' | 'longest'>;

/** A request as people may see it: what is known to be secret is masked, and nothing in it is unseen. */
export function shownRequest(request: HeldRequest, masker: Masking): ShownRequest {
  const { protocol, host, method, target, headers, body, sha256 } = request;
  const [path = '', ...query] = target.split('?');
  const { maskLine } = masker;
  const show = (text: string): string => visible(maskLine(text));
  return {
    method,
    address: show(`${protocol}://${host}${path}`),
    query: query.length === 0 ? null : show(maskedQuery(query.join('?'))),
    headers: headers.map(([name, value]) => oneLine(show(`${name}: ${maskedHeader(name, value)}`))),
    body: body.text === null ? null : visible(maskedBody(body.text, body.cut, masker)),
    bodyBytes: body.bytes,
    bodyCut: body.cut,
    bodySha256: body.text !== null && maskLine(body.text) !== body.text ? null : body.sha256,
    sha256,
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function maskedBody(text: string, cut: boolean, { maskLine, longest }: Masking): string {
  if (!cut) return maskLine(prettyJson(text));
  // A secret that lies across the cut is not found.
  const masked = maskLine(text);
  const characters = [...masked];
  return cutText(masked, Math.max(0, characters.length - longest));
}
