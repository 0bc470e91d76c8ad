import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';

import type { WorkspaceCaller } from '../core/access/index.js';
import type { ScriptOffer } from '../scripts/index.js';
import { scriptTool } from './script-tool.js';

const OFFER: ScriptOffer = {
  slug: 'weather',
  name: 'Weather',
  description: 'Tells the weather.',
  approvalPolicy: 'none',
  ask: null,
  inputSchema: { properties: { city: { type: 'string' } } },
  outputSchema: null,
  timeoutSeconds: 30,
  hosts: [],
  usesSecrets: false,
};

function caller(approvalPolicy: 'none' | 'agents' | 'always' = 'none'): WorkspaceCaller {
  return { environment: { approvalPolicy } } as WorkspaceCaller;
}

describe('the tool of a script', () => {
  it("takes the script's inputs as they are, as an object", () => {
    const { name, title, inputSchema, outputSchema, scopes } = scriptTool(OFFER, caller());
    expect({ name, title, scopes }).toEqual({ name: 'weather', title: 'Weather', scopes: ['runs:write'] });
    expect(inputSchema).toEqual({ type: 'object', properties: { city: { type: 'string' } } });
    expect(outputSchema).toBeUndefined();
  });

  it.each([
    [
      { type: ['object', 'null'], properties: { a: true, b: false } },
      { a: {}, b: { not: {} } },
    ],
    [{ type: 'object', properties: { a: { anyOf: [true] } } }, { a: { anyOf: [true] } }],
    [{ $ref: '#/$defs/a', $defs: { a: true } }, undefined],
  ])('shows %j in a form that every client reads', (inputSchema, properties) => {
    const tool = scriptTool({ ...OFFER, inputSchema }, caller());
    expect(ToolSchema.parse(tool).inputSchema).toEqual({
      ...inputSchema,
      type: 'object',
      ...(properties && { properties }),
    });
  });

  it.each([
    [{}, { readOnlyHint: true, destructiveHint: false, openWorldHint: false }],
    [{ hosts: ['api.example.com'] }, { readOnlyHint: false, destructiveHint: true, openWorldHint: true }],
    [{ usesSecrets: true }, { readOnlyHint: false, destructiveHint: true, openWorldHint: false }],
  ])('with %j says %j of itself', (offer, hints) => {
    expect(scriptTool({ ...OFFER, ...offer }, caller()).annotations).toMatchObject(hints);
  });

  it("says that a person has to approve, by the script's policy or the environment's", () => {
    const words = 'A person has to approve each run';
    expect(scriptTool(OFFER, caller()).description).not.toContain(words);
    expect(scriptTool(OFFER, caller('agents')).description).toContain(words);
    expect(scriptTool({ ...OFFER, approvalPolicy: 'always' }, caller()).description).toContain(words);
  });

  it('says how files are given', () => {
    const file = { type: 'string', format: 'file' };
    for (const table of [file, { type: 'array', items: file }]) {
      const inputSchema = { type: 'object', properties: { table } };
      expect(scriptTool({ ...OFFER, inputSchema }, caller()).description).toContain('ids of uploaded files');
    }
  });

  it('takes a text for a file at once', () => {
    const file = { type: 'string', format: 'file', title: 'Table' };
    const inputSchema = { type: 'object', properties: { table: file, more: { type: 'array', items: file } } };
    const { properties } = scriptTool({ ...OFFER, inputSchema }, caller()).inputSchema as Record<
      string,
      object
    >;
    const either = {
      title: 'Table',
      anyOf: [{ type: 'string', format: 'file' }, { required: ['name', 'text'] }],
    };
    expect(properties).toMatchObject({ table: either, more: { type: 'array', items: either } });
  });

  it('puts the output schema below its own, with references that still lead there', () => {
    const outputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { city: { type: 'string' } },
      properties: { city: { $ref: '#/$defs/city' }, again: { $ref: '#' } },
      default: { $ref: '#/data' },
    };
    const tool = scriptTool({ ...OFFER, outputSchema }, caller());
    expect(tool.outputSchema).toMatchObject({
      type: 'object',
      required: ['runId', 'status'],
      properties: {
        output: {
          $defs: { city: { type: 'string' } },
          properties: {
            city: { $ref: '#/properties/output/$defs/city' },
            again: { $ref: '#/properties/output' },
          },
          default: { $ref: '#/data' },
        },
      },
    });
  });

  it('names no draft of a schema, since clients refuse others than theirs', () => {
    const inputSchema = { $schema: 'http://json-schema.org/draft-07/schema#', properties: {} };
    const tool = scriptTool({ ...OFFER, inputSchema, outputSchema: inputSchema }, caller());
    expect(JSON.stringify([tool.inputSchema, tool.outputSchema])).not.toContain('$schema');
  });

  it('leaves out an output schema that has a base of its own', () => {
    const outputSchema = { properties: { city: { $id: 'city', type: 'string' } } };
    expect(scriptTool({ ...OFFER, outputSchema }, caller()).outputSchema).toMatchObject({
      properties: { output: {} },
    });
  });
});
