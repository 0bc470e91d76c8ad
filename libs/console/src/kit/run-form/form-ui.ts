import type { RJSFSchema, UiSchema } from '@rjsf/utils';

import { isObject } from './schema-pointer.js';

const FILE = 'file';
const LONG_TEXT = 200;
const MOST_LEVELS = 12;

/** How each field of a schema is filled in, where the form's own way is not the one. */
export function formUi(schema: RJSFSchema): UiSchema {
  return { ...uiOf(schema, schema, 0), 'ui:submitButtonOptions': { norender: true } };
}

/** The inputs that take a file's id, or a list of them. */
export function fileInputs(schema: RJSFSchema | null): string[] {
  const properties = Object.entries(schema?.properties ?? {});
  return properties.filter(([, field]) => isFile(field) || isFileList(field)).map(([name]) => name);
}

function uiOf(node: unknown, root: RJSFSchema, level: number): UiSchema {
  const schema = referred(node, root);
  if (schema === true || (isObject(schema) && isFreeForm(schema))) return { 'ui:field': 'JsonField' };
  if (!isObject(schema) || level > MOST_LEVELS) return {};
  if (isFile(schema)) return { 'ui:field': 'FileField' };
  if (isFileList(schema)) return { 'ui:field': 'FileListField' };
  if (isMixedScalar(schema)) return { 'ui:field': 'NumberField' };
  if (isLongText(schema))
    return { 'ui:widget': 'textarea', 'ui:options': { autosize: true, minRows: 3, maxRows: 16 } };
  if (isChoice(schema)) return { 'ui:options': { description: textOf(schema['description']) } };
  // The browser's own input has no zone, which the format asks for.
  if (schema['format'] === 'time') return { 'ui:widget': 'text' };
  const ui: UiSchema = {};
  if (isObject(schema['properties'])) {
    for (const [name, property] of Object.entries(schema['properties'])) {
      ui[name] = uiOf(property, root, level + 1);
    }
  }
  if (isObject(schema['items'])) ui.items = uiOf(schema['items'], root, level + 1);
  if (isObject(schema['additionalProperties'])) {
    ui.additionalProperties = uiOf(schema['additionalProperties'], root, level + 1);
  }
  return ui;
}

function referred(node: unknown, root: RJSFSchema): unknown {
  const ref = isObject(node) ? node['$ref'] : undefined;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return node;
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), root);
}

function isFile(field: unknown): boolean {
  return isObject(field) && field['format'] === FILE && typesOf(field).includes('string');
}

function isFileList(field: unknown): boolean {
  return isObject(field) && typesOf(field).includes('array') && isFile(field['items']);
}

/** Where a schema leaves the shape to the one who fills it in, they write JSON. */
function isFreeForm(schema: Record<string, unknown>): boolean {
  if (['$ref', 'enum', 'const', 'oneOf', 'anyOf', 'allOf'].some((word) => word in schema)) return false;
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length === 0) return !('properties' in schema) && typesOf(schema).length === 0;
  if (types.length > 1)
    return types.includes('object') || types.includes('array') || types.includes('boolean');
  if (types[0] === 'object')
    return !isObject(schema['properties']) && !isObject(schema['additionalProperties']);
  return types[0] === 'array' && (!isObject(schema['items']) || 'prefixItems' in schema);
}

/** The form's own selects show no description unless they are told. */
function isChoice(schema: Record<string, unknown>): boolean {
  const items = schema['items'];
  return 'enum' in schema || (isObject(items) && 'enum' in items && schema['uniqueItems'] === true);
}

/** Text or a number: what is written as a number is one. */
function isMixedScalar(schema: Record<string, unknown>): boolean {
  const types = typesOf(schema).filter((type) => type !== 'null');
  return types.length > 1 && !('enum' in schema);
}

function isLongText(schema: Record<string, unknown>): boolean {
  if (!typesOf(schema).includes('string') || 'enum' in schema) return false;
  if (schema['format'] !== undefined) return schema['format'] === 'textarea';
  return 'contentMediaType' in schema || Number(schema['maxLength'] ?? 0) > LONG_TEXT;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function typesOf(schema: Record<string, unknown>): string[] {
  const type = schema['type'];
  return Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];
}
