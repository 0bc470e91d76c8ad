import { STATUS_CODES } from 'node:http';

import {
  type AccessRule,
  NEEDS_CONFIRMATION_EXTENSION,
  NEEDS_STEP_UP_EXTENSION,
  type Reach,
} from '../access/index.js';
import { type ApiRoute, isRepeatable } from './open-api-route-describer.js';
import {
  type ApiDocument,
  isReference,
  type Operation,
  type Parameter,
  type Reference,
  type Response,
} from './document.js';
import { addErrors } from './error-responses.js';
import { headers } from './headers.js';
import { firstSentence, singular, words } from './words.js';

/** Parameters that many routes share; in the document once. Their names are those of no schema, which generators would mix up. */
export const PARAMETERS: Record<string, Parameter> = {
  XWorkspace: {
    name: 'x-workspace',
    in: 'header',
    description:
      "The workspace's slug. Required for a personal access token and in the app; an agent has but one; ignored for an API key, even empty.",
    schema: { type: 'string' },
  },
  XEnvironment: {
    name: 'x-environment',
    in: 'header',
    description:
      'The environment to act in, by name. Without it, the default one; an API key that is bound to an environment always acts in that.',
    schema: { type: 'string', minLength: 1 },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to send the request again: with the same key, it is carried out once and answered alike for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
};

/** Completes each operation from its route: nothing of this has to be written beside the handlers. */
export function completeOperations(document: ApiDocument, routes: readonly ApiRoute[]): void {
  for (const route of routes) {
    const operation = document.paths[route.path]?.[route.method];
    if (!operation) continue;
    operation.operationId = route.operationId;
    operation.tags = (operation.tags ?? [route.tag]).map((tag) => tag.charAt(0).toUpperCase() + tag.slice(1));
    if (route.rule === 'public') operation.security = [];
    writeTexts(operation, route);
    operation.parameters = parametersOf(operation, route);
    completeSuccesses(operation, route);
    addErrors(operation, route);
  }
  const names = new Set(routes.flatMap(({ path, method }) => document.paths[path]?.[method]?.tags ?? []));
  document.tags = [...names].sort().map((name) => ({ name }));
}

function writeTexts(operation: Operation, { rule }: ApiRoute): void {
  const { first, rest } = firstSentence(operation.summary ?? '');
  if (first !== '') operation.summary = first;
  const paragraphs = [
    rest,
    firstParagraphs(operation.description),
    describeAccess(rule),
    describeConfirmation(operation),
  ];
  operation.description = paragraphs.filter((text) => text !== '').join('\n\n');
}

function firstParagraphs(text = ''): string {
  return text.replace(/([^\n])\n(?!\n)/g, '$1 ').trim();
}

const FOR_BOUND: Readonly<Record<Reach, string>> = {
  own: 'A credential that is bound to an environment reaches only what is in it.',
  shared: 'Open to a credential that is bound to an environment.',
  all: 'Refused to a credential that is bound to an environment.',
};

function describeAccess(rule: AccessRule): string {
  if (rule === 'public') return 'No credential is needed.';
  if (rule === 'session') return 'For a person who is signed in to the app.';
  if (rule === 'personal_token') return 'Takes a personal access token only.';
  const { scope, role, roleByToken, kinds, followsScopes } = rule;
  const needs = [
    ...(scope ? [`the scope \`${scope}\``] : []),
    ...(role === 'guest' ? [] : [`the role ${role}`]),
    ...(roleByToken ? [`with a personal access token the role ${roleByToken}`] : []),
  ];
  const closedToScoped = !scope && !followsScopes && (kinds?.includes('api_key') ?? true);
  const inTheAppOnly = kinds?.every((kind) => kind === 'session') ?? false;
  return [
    needs.length > 0 ? `Needs ${needs.join(', ')}.` : 'For everyone in the workspace.',
    ...(inTheAppOnly ? [] : [FOR_BOUND[rule.reach]]),
    ...(closedToScoped ? ['Refused to an API key with scopes.'] : []),
  ].join(' ');
}

function describeConfirmation(operation: Operation): string {
  if (NEEDS_STEP_UP_EXTENSION in operation) {
    return 'Where the workspace wants its people to confirm that it is them, it takes a confirmation of the last minutes: otherwise 403 `confirmation_required` in the app, and 403 for a token of a person.';
  }
  return NEEDS_CONFIRMATION_EXTENSION in operation
    ? 'In the app, it takes a sign-in of the last hour, or `POST /v1/auth/confirm`: otherwise 403 `confirmation_required`.'
    : '';
}

function parametersOf(operation: Operation, route: ApiRoute): (Parameter | Reference)[] {
  const parameters = (operation.parameters ?? []).map((parameter) => shared(parameter) ?? parameter);
  for (const parameter of parameters)
    if (!isReference(parameter)) parameter.description ||= describe(parameter, route.path);
  return isRepeatable(route)
    ? [...parameters, { $ref: '#/components/parameters/IdempotencyKey' }]
    : parameters;
}

function shared(parameter: Parameter | Reference): Reference | null {
  if (isReference(parameter) || parameter.in !== 'header') return null;
  const name = Object.keys(PARAMETERS).find((key) => PARAMETERS[key]!.name === parameter.name.toLowerCase());
  return name === undefined ? null : { $ref: `#/components/parameters/${name}` };
}

/** `/v1/scripts/{slug}`: «The slug of the script.» A query parameter that says nothing of itself is a filter. */
function describe({ name, in: place }: Parameter, path: string): string {
  if (place !== 'path')
    return name === 'limit' ? 'How many at most.' : `Only what has this ${lowered(words(name))}.`;
  const parts = path.split('/');
  const before = parts[parts.indexOf(`{${name}}`) - 1] ?? '';
  const one = lowered(words(singular(before)));
  const what = name.endsWith('Id')
    ? 'id'
    : name === 'n'
      ? 'number'
      : lowered(words(name)).replace('ID', 'id');
  return what === one ? `The ${one}.` : `The ${what} of the ${one}.`;
}

function lowered(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function completeSuccesses(operation: Operation, route: ApiRoute): void {
  const names = [
    'x-request-id',
    'Cache-Control',
    ...(route.rule === 'public' ? [] : ['RateLimit', 'RateLimit-Policy']),
    ...(isRepeatable(route) ? ['Idempotent-Replayed'] : []),
  ];
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) >= 400 || isReference(response)) continue;
    const success: Response = response;
    success.description ||= STATUS_CODES[status] ?? 'The answer.';
    success.headers = { ...headers(...names), ...success.headers };
  }
}
