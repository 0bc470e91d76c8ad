import { type ApiDocument, type Operation, operationsOf } from './document.js';

const PREFIX = '#/components/schemas/';

/** Says what the checks of a request demand: a body where fields are required, and nothing that is not named. */
export function describeRequests(document: ApiDocument): void {
  for (const operation of operationsOf(document)) markBody(document, operation);
  refuseUnknownFields(document);
}

/** A body that is missing is as an empty one, whether that is an object without fields or a file without bytes. */
function markBody({ components }: ApiDocument, { requestBody }: Operation): void {
  if (!requestBody) return;
  const mayBeEmpty = Object.entries(requestBody.content).some(([type, { schema }]) => {
    if (type === 'application/octet-stream') return true;
    const found = schema?.$ref === undefined ? schema : components.schemas[schema.$ref.slice(PREFIX.length)];
    return found !== undefined && (found.required ?? []).length === 0;
  });
  if (mayBeEmpty) requestBody['required'] = false;
}

/** Unknown fields are an error in requests, while responses may gain fields: so only for types that no response has. */
function refuseUnknownFields(document: ApiDocument): void {
  const operations = operationsOf(document);
  const sent = namesIn(
    document,
    operations.map(({ requestBody }) => requestBody),
  );
  const received = namesIn(
    document,
    operations.map(({ responses }) => responses),
  );
  for (const name of sent) {
    const schema = document.components.schemas[name]!;
    if (!received.has(name)) schema.additionalProperties ??= false;
  }
}

/** The schemas that are named somewhere in `part`, directly or by one another. */
function namesIn(document: ApiDocument, part: unknown, names = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return names;
  for (const [key, value] of Object.entries(part)) {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(PREFIX)) {
      namesIn(document, value, names);
      continue;
    }
    const name = value.slice(PREFIX.length);
    if (names.has(name)) continue;
    names.add(name);
    namesIn(document, document.components.schemas[name], names);
  }
  return names;
}
