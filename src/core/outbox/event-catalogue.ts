import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';

import { SCOPES } from '../access/index.js';
import type { EventTypeDefinition } from './event-type.js';

const TYPE = /^[a-z][a-z_]*(\.[a-z][a-z_]*)*$/;

/**
 * The definitions by type, in the order of their names.
 *
 * @param isChecked which definitions are in order already
 * @throws Error naming every definition that is wrong: a type that is malformed or defined twice, a schema that cannot be
 * compiled, an example that does not fit it
 */
export function catalogueOf(
  definitions: readonly EventTypeDefinition[],
  isChecked: (definition: EventTypeDefinition) => boolean = () => false,
): ReadonlyMap<string, EventTypeDefinition> {
  const catalogue = new Map<string, EventTypeDefinition>();
  const problems: string[] = [];
  for (const definition of definitions) {
    const isTwice = catalogue.has(definition.type);
    const problem = isTwice ? 'is defined twice' : isChecked(definition) ? null : problemOf(definition);
    if (problem !== null) problems.push(`${definition.type}: ${problem}`);
    catalogue.set(definition.type, definition);
  }
  if (problems.length > 0) throw new Error(`Event types are not in order: ${problems.join('; ')}`);
  return new Map([...catalogue].sort(([one], [other]) => (one < other ? -1 : 1)));
}

let shared: Ajv2020 | undefined;

/**
 * One for all: making it takes longer than compiling a schema with it. Strict mode refuses what a schema cannot be, so
 * the schema of schemas is not compiled; that would take as long as all the others at each start. Optimising code that
 * checks a single example would not pay either.
 */
function compiler(): Ajv2020 {
  if (!shared) {
    shared = new Ajv2020({
      allErrors: true,
      allowUnionTypes: true,
      logger: false,
      meta: false,
      validateSchema: false,
      code: { optimize: false },
    });
    (formatsPlugin as unknown as (to: Ajv2020) => void)(shared);
  }
  return shared;
}

/** A function that says what is wrong with data of an event type, or null. */
export function eventDataCheck(schema: Record<string, unknown>): (data: unknown) => string | null {
  const validate: ValidateFunction = compiler().compile(schema);
  return (data) =>
    validate(data)
      ? null
      : (validate.errors ?? [])
          .map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
          .join(', ');
}

function problemOf({ type, description, audience, schema, example }: EventTypeDefinition): string | null {
  if (!TYPE.test(type)) return 'is not a dotted name in lower case';
  if (description.trim() === '') return 'has no description';
  if (audience && !(SCOPES as readonly string[]).includes(audience.scope)) {
    return `its audience needs the scope "${audience.scope}", which there is not`;
  }
  try {
    const problem = eventDataCheck(schema)(example);
    return problem === null ? null : `its example does not fit its schema (${problem})`;
  } catch (error) {
    return `its schema cannot be used: ${(error as Error).message}`;
  }
}
