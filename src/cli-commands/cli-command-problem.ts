import { lineProblem } from '../core/http/index.js';
import type { CliCommandDefinition, CliParameter } from './cli-command.js';

const COMMAND = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const PARAMETER = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*$/;
const COLUMN = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;
const ROUTE = /^(GET|POST|PUT|PATCH|DELETE) (\/v1\/\S+)$/;
/** What a command line sends requests to. */
const PATH = /^\/v1(\/([a-z0-9-]+|\{\w+\}))+$/;
const TYPES = ['string', 'integer', 'number', 'boolean'];
const LONGEST_TEXT = 200;
const LONGEST_NAME = 40;
/** Options that each command has, or may come to have. */
const RESERVED = ['profile', 'url', 'workspace', 'env', 'json', 'jq', 'help', 'version', 'limit', 'yes'];

/** What is wrong with a command, or null. Whether there is its route is not looked at. */
export function cliCommandProblem(command: Partial<CliCommandDefinition>): string | null {
  const {
    name,
    summary,
    route,
    arguments: given = [],
    options = [],
    columns = [],
    fields = {},
    list,
  } = command;
  if (!isText(name) || !COMMAND.test(name) || name.length > LONGEST_NAME || name === 'help') {
    return `needs a name of up to ${LONGEST_NAME} lower-case letters, with - between words`;
  }
  if (!isLine(summary)) return `needs a summary of one line with up to ${LONGEST_TEXT} characters`;
  const [, method, path] = isText(route) ? (ROUTE.exec(route) ?? []) : [];
  if (method === undefined) return 'needs a route such as "GET /v1/tickets"';
  if (!PATH.test(path!)) {
    return `names the path ${path}, which no command line takes: it has words of lower-case letters, digits and -, and parameters`;
  }
  if (![given, options, columns].every((all) => Array.isArray(all))) return 'has no lists where lists belong';
  const parameters = [...given, ...options];
  for (const parameter of parameters) {
    const problem = parameterProblem(parameter);
    if (problem !== null) return `has a parameter "${String(parameter?.name)}" ${problem}`;
  }
  const names = parameters.map((parameter) => parameter.name);
  const twice = names.find((one, place) => names.indexOf(one) !== place);
  if (twice !== undefined) return `has the parameter "${twice}" twice`;
  const unsound = Object.entries(fields).find(([field, value]) => !isField(field, value));
  if (unsound !== undefined) return `has a field "${unsound[0]}" that is no text, number or boolean`;
  const filled = Object.keys(fields).find((field) => [...names, ...parametersOf(path!)].includes(field));
  if (filled !== undefined) return `has "${filled}" as a field and as a parameter`;
  if (given.some(({ type }) => type === 'boolean'))
    return 'has an argument that is a boolean; make it an option';
  const firstOptional = given.findIndex((one) => !isRequired(one));
  if (firstOptional >= 0 && given.slice(firstOptional).some(isRequired)) {
    return 'has a required argument behind one that is not';
  }
  const known = [...given.filter(isRequired), ...options.filter(({ required }) => required)];
  const missing = parametersOf(path!).find((one) => !known.some((parameter) => parameter.name === one));
  if (missing !== undefined) return `has no required parameter "${missing}", which its path has`;
  const wrong = columns.find((column) => !isText(column) || !COLUMN.test(column));
  if (wrong !== undefined) return `has a column "${String(wrong)}", which is no field`;
  if (list !== undefined && (list !== true || method !== 'GET' || columns.length === 0)) {
    return 'is a list, which takes GET and columns';
  }
  return null;
}

/** The names in the braces of a path. */
function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

function parameterProblem({
  name,
  description,
  type = 'string',
  choices,
}: Partial<CliParameter>): string | null {
  if (!isText(name) || !PARAMETER.test(name) || name.length > LONGEST_NAME) return 'whose name is none';
  if (RESERVED.includes(name)) return 'whose name every command has';
  if (/^no[A-Z]/.test(name)) return 'whose name begins with "no", which would take it back';
  if (!isLine(description)) return `without a description of one line with up to ${LONGEST_TEXT} characters`;
  if (!TYPES.includes(type)) return 'of a type that there is not';
  if (choices === undefined) return null;
  const areSound = Array.isArray(choices) && choices.length > 0 && choices.every((one) => isLine(one));
  return areSound && type === 'string' ? null : 'whose choices are no texts';
}

function isField(name: string, value: unknown): boolean {
  const isNamed = PARAMETER.test(name) && name.length <= LONGEST_NAME;
  return isNamed && (typeof value === 'boolean' || Number.isFinite(value) || isLine(value));
}

const isRequired = ({ required = true }: CliParameter): boolean => required;

function isLine(value: unknown): value is string {
  return isText(value) && value !== '' && value.length <= LONGEST_TEXT && lineProblem(value) === null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
