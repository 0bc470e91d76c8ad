import { isJsonObject } from '../../../kit/json-object.js';
import { jsonOrNull } from '../../../api/json-or-null.js';

type Inputs = Record<string, unknown>;

/** Where a form's first inputs come from: what was typed and left, a link, an earlier run, the last time, or nowhere. */
export interface InputSources {
  /** What was typed into the same form before. */
  typed: Inputs | null;
  /** `?inputs=` of the page's address. */
  link: unknown;
  /** The inputs of the run that is done again. */
  run: Inputs | null;
  last: Inputs | null;
}

export interface StartingInputs {
  inputs: Inputs;
  from: 'typed' | 'link' | 'run' | 'last' | null;
}

export function startingInputs(
  { typed, link, run, last }: InputSources,
  schema: Inputs | null,
): StartingInputs {
  if (typed) return { inputs: complete(known(typed, schema), schema), from: 'typed' };
  const linked = asInputs(link);
  if (linked) return { inputs: complete(linked, schema), from: 'link' };
  if (run) return { inputs: complete(run, schema), from: 'run' };
  if (last && Object.keys(last).length > 0)
    return { inputs: complete(known(last, schema), schema), from: 'last' };
  return { inputs: complete({}, schema), from: null };
}

/** Shown as an unticked box, so that is what it means: a box cannot be left empty. */
function complete(inputs: Inputs, schema: Inputs | null): Inputs {
  const properties = (schema?.['properties'] ?? {}) as Record<
    string,
    { type?: unknown; default?: unknown } | boolean
  >;
  const required = (schema?.['required'] ?? []) as string[];
  const boxes = required.filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return typeof property === 'object' && property.type === 'boolean' && property.default === undefined;
  });
  return { ...Object.fromEntries(boxes.map((name) => [name, false])), ...inputs };
}

/** A new version may have other inputs than the one that was run the last time. */
function known(inputs: Inputs, schema: Inputs | null): Inputs {
  const properties = (schema?.['properties'] ?? {}) as Inputs;
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => Object.hasOwn(properties, name)));
}

function asInputs(link: unknown): Inputs | null {
  const value = typeof link === 'string' ? jsonOrNull(link) : link;
  return isJsonObject(value) ? value : null;
}
