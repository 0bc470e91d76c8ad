import { counted } from '../counted.js';

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'yes or no',
  object: 'a JSON object: { … }',
  array: 'a list: [ … ]',
  null: 'empty (null)',
};

const FORMATS: Record<string, string> = {
  date: 'a date like 2026-01-31',
  time: 'a time with its zone, like 09:30:00Z',
  'date-time': 'a date and time with its zone, like 2026-01-31T09:30:00Z',
  duration: 'a duration like PT15M',
  email: 'an e-mail address',
  uri: 'a full address like https://example.com/',
  url: 'a full address like https://example.com/',
  hostname: 'a host name like example.com',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uuid: 'a UUID',
  regex: 'a regular expression',
};

const MOST_LISTED = 10;

/**
 * What is wrong, in words for whoever fills in the form.
 * @param rule what the schema says there: the value of the keyword
 * @param told the validator's own words, where there are none of ours
 */
export function problemText(keyword: string, rule: unknown, told: string): string {
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return 'This is needed.';
    case 'type':
      return `This must be ${[rule]
        .flat()
        .map((type) => TYPES[String(type)] ?? String(type))
        .join(' or ')}.`;
    case 'enum':
      return `This must be one of ${listed(Array.isArray(rule) ? rule : [])}.`;
    case 'const':
      return `This must be ${JSON.stringify(rule)}.`;
    case 'format':
      return `This must be ${FORMATS[String(rule)] ?? `in the format ${String(rule)}`}.`;
    case 'pattern':
      return `This must match the pattern ${String(rule)}.`;
    case 'minLength':
      return `This must have at least ${counted(Number(rule), 'character')}.`;
    case 'maxLength':
      return `This must have at most ${counted(Number(rule), 'character')}.`;
    case 'minimum':
      return `This must be at least ${String(rule)}.`;
    case 'maximum':
      return `This must be at most ${String(rule)}.`;
    case 'exclusiveMinimum':
      return `This must be more than ${String(rule)}.`;
    case 'exclusiveMaximum':
      return `This must be less than ${String(rule)}.`;
    case 'multipleOf':
      return `This must be a multiple of ${String(rule)}.`;
    case 'minItems':
      return `There must be at least ${counted(Number(rule), 'entry', 'entries')}.`;
    case 'maxItems':
      return `There must be at most ${counted(Number(rule), 'entry', 'entries')}.`;
    case 'uniqueItems':
      return 'No entry may be there twice.';
    case 'minProperties':
      return `There must be at least ${counted(Number(rule), 'property', 'properties')}.`;
    case 'maxProperties':
      return `There must be at most ${counted(Number(rule), 'property', 'properties')}.`;
    case 'anyOf':
      return 'This must match one of the alternatives.';
    case 'oneOf':
      return 'This must match exactly one of the alternatives.';
    case 'not':
      return 'This value is not allowed.';
    case 'false':
      return 'This is not allowed here.';
    case 'propertyNames':
      return 'A name in here is not allowed.';
    default:
      return told;
  }
}

function listed(values: readonly unknown[]): string {
  const some = values.slice(0, MOST_LISTED).map((value) => JSON.stringify(value));
  return values.length > MOST_LISTED ? `${some.join(', ')} and others` : some.join(', ');
}
