import { InvalidRequest } from '../errors/index.js';
import { textProblem } from './json-body.js';
import { isRepeatable } from './repeatable.js';

/** The parameters of an address. Those that may be given several times are arrays. */
export type Parameters = Record<string, string | string[]>;

/**
 * The parameters of a request's address, each of which must not be empty, and be given once unless it is `@Repeatable()`.
 *
 * @param address as Node has it: it takes no bytes beyond ASCII that are not escaped
 * @throws InvalidRequest at the parameter, or at `query` where its very name cannot be read
 */
export function parseQuery(address: string): Parameters {
  const parameters = Object.create(null) as Parameters;
  const begin = address.indexOf('?');
  const pairs = begin < 0 ? [] : address.slice(begin + 1).split('&');
  for (const pair of pairs) {
    if (pair === '') continue;
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair)!;
    const key = decoded(name, 'query');
    if (key === '') throw InvalidRequest.at('query', 'has a parameter without a name');
    const text = decoded(value, key);
    const repeated = isRepeatable(key);
    if (!repeated && Object.hasOwn(parameters, key)) throw InvalidRequest.at(key, 'is given more than once');
    if (text === '') throw InvalidRequest.at(key, 'must not be empty');
    parameters[key] = repeated ? [...(parameters[key] ?? []), text] : text;
  }
  return parameters;
}

function decoded(escaped: string, place: string): string {
  if (/%(?![0-9a-f]{2})/i.test(escaped)) {
    throw InvalidRequest.at(place, 'has a `%` without two hexadecimal digits; escape it as `%25`');
  }
  const bytes = Buffer.from(
    escaped
      .replaceAll('+', ' ')
      .replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
  const text = utf8(bytes);
  const problem = text === null ? 'is not valid UTF-8' : textProblem(text);
  if (problem !== null) throw InvalidRequest.at(place, problem);
  return text!;
}

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
