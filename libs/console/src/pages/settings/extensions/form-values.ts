import { Problem } from '../../../api/problem.js';

interface Field {
  description?: string;
  writeOnly?: boolean;
}

/** Of what a form is called in the console's own forms. */
const PREFIX = 'inputs.';
const KEPT = 'What is set is not shown. Left empty, it stays as it is.';

/** The schema as the form is drawn: secrets are typed unseen. */
export function drawnSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(fieldsOf(schema)).map(([name, field]) => {
    if (!field.writeOnly) return [name, field] as const;
    const description = [field.description, KEPT].filter(Boolean).join(' ');
    return [name, { ...field, format: 'password', description }] as const;
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** Of what the route gives, the values that the form has fields for, besides secrets and what is null. */
export function knownValues(given: unknown, schema: Record<string, unknown>): Record<string, unknown> {
  if (typeof given !== 'object' || given === null) return {};
  const fields = fieldsOf(schema);
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => Object.hasOwn(fields, name) && !fields[name]!.writeOnly && value !== null,
    ),
  );
}

/** What the route refused, with the paths that the form knows its fields by; what is about none of them stays as it is. */
export function atFields(problem: unknown, schema: Record<string, unknown>): unknown {
  if (!(problem instanceof Problem)) return problem;
  const fields = fieldsOf(schema);
  const details = problem.details.map(({ path, message }) => ({
    path: Object.hasOwn(fields, path.split(/[.[]/, 1)[0]!) ? `${PREFIX}${path}` : path,
    message,
  }));
  return new Problem({ ...problem, message: problem.message, details });
}

function fieldsOf(schema: Record<string, unknown>): Record<string, Field> {
  return (schema['properties'] ?? {}) as Record<string, Field>;
}
