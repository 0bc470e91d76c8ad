import { Injectable } from '@nestjs/common';

import { FILE_FORMAT, isSchemaObject, type JsonSchema } from '../../libs/json-schema/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { UploadRecordsService } from '../files/index.js';
import { ScriptCatalogService, viewerOf } from '../scripts/index.js';

interface TextFile {
  name: string;
  text: string;
}

/** A file that a model writes itself, as it stands among the inputs of a script. */
const TEXT_FILE = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'With its extension: table.csv.' },
    text: { type: 'string' },
  },
  required: ['name', 'text'],
  additionalProperties: false,
};

/** Has file inputs take a text at once: it becomes an upload, whose id the run is given. */
@Injectable()
export class TextFilesService {
  constructor(
    private readonly catalog: ScriptCatalogService,
    private readonly uploads: UploadRecordsService,
  ) {}

  /** The inputs as a run takes them. Others than texts for files stay as they are. */
  async stored(caller: WorkspaceCaller, slug: string, inputs: unknown): Promise<unknown> {
    if (!isSchemaObject(inputs) || !Object.values(inputs).flat().some(isTextFile)) return inputs;
    const script = await this.catalog.findRunnable({ ...viewerOf(caller), slug, version: null });
    // Whoever starts the run says what is wrong.
    if (!script || script.versionId === null) return inputs;
    const fields = fileFieldsOf(script.inputSchema);
    const entries: [string, unknown][] = [];
    for (const [field, value] of Object.entries(inputs)) {
      entries.push([field, fields.has(field) ? await this.storedValue(caller, value) : value]);
    }
    return Object.fromEntries(entries);
  }

  private async storedValue(caller: WorkspaceCaller, value: unknown): Promise<unknown> {
    if (isTextFile(value)) return (await this.uploads.store(caller, value.name, Buffer.from(value.text))).id;
    if (!Array.isArray(value)) return value;
    const ids: unknown[] = [];
    for (const one of value) ids.push(await this.storedValue(caller, one));
    return ids;
  }
}

/** The input schema as it is told: its file inputs take a text, too. */
export function withTextFiles(schema: JsonSchema): JsonSchema {
  const fields = fileFieldsOf(schema);
  if (fields.size === 0) return schema;
  const properties = Object.entries(schema['properties'] as Record<string, JsonSchema>).map(
    ([field, own]) => {
      if (!fields.has(field)) return [field, own];
      return [
        field,
        own['type'] === 'array' ? { ...own, items: orText(own['items'] as JsonSchema) } : orText(own),
      ];
    },
  );
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
}

function orText({ title, description, ...own }: JsonSchema): JsonSchema {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: [{ ...own, description: 'The id of an uploaded file.' }, TEXT_FILE],
  };
}

/** Top-level properties, or arrays of files. */
export function fileFieldsOf({ properties }: JsonSchema): Set<string> {
  const entries = isSchemaObject(properties) ? Object.entries(properties) : [];
  const fields = entries.filter(
    ([, schema]) => isFile(schema) || (isSchemaObject(schema) && isFile(schema['items'])),
  );
  return new Set(fields.map(([field]) => field));
}

function isFile(schema: unknown): boolean {
  return isSchemaObject(schema) && schema['format'] === FILE_FORMAT;
}

function isTextFile(value: unknown): value is TextFile {
  if (!isSchemaObject(value) || Object.keys(value).length !== 2) return false;
  return typeof value['name'] === 'string' && typeof value['text'] === 'string';
}
