type Schema = Record<string, unknown> | null | undefined;
type Inputs = Record<string, unknown>;

const SECRET_NAME =
  /pass(?:word|wd|phrase|code)?$|secret|token|credential|(?:api|private|access|signing)[-_ ]?key|^pin$|bearer|otp/i;

/** The inputs that may be kept in the browser or stand in a link: nothing that looks like a secret. */
export function withoutSecrets(inputs: Inputs, schema: Schema): Inputs {
  return strip(inputs, schema) as Inputs;
}

/** Uploads expire within a day, so they are not remembered. */
export function withoutFiles(inputs: Inputs, files: readonly string[]): Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !files.includes(name)));
}

export function looksSecret(name: string, schema: Schema): boolean {
  if (schema?.['format'] === 'password' || schema?.['writeOnly'] === true) return true;
  // Camel case ends a word as a dash does.
  return SECRET_NAME.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'));
}

function strip(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return value.map((entry) => strip(entry, part(schema, 'items')));
  if (typeof value !== 'object' || value === null) return value;
  const properties = part(schema, 'properties');
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !looksSecret(name, part(properties, name)))
      .map(([name, entry]) => [name, strip(entry, part(properties, name))]),
  );
}

function part(schema: Schema, name: string): Schema {
  const found = schema?.[name];
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined;
}
