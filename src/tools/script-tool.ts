import { cutText } from '../../libs/cut-text/index.js';
import { isSchemaObject, type JsonSchema } from '../../libs/json-schema/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { START_RUNS, stricterPolicy } from '../runs/index.js';
import type { ScriptOffer } from '../scripts/index.js';
import { below } from './schema-below.js';
import { nameForModel } from './tool-names.js';
import { fileFieldsOf, withTextFiles } from './text-files.service.js';
import type { Tool } from './tool.js';
import { withoutPatterns } from './without-patterns.js';

const MOST_CONDITION = 500;

export function scriptTool(offer: ScriptOffer, caller: WorkspaceCaller): Tool {
  const { slug, name, inputSchema, outputSchema, hosts, usesSecrets } = offer;
  // What neither leaves the sandbox nor knows a secret changes nothing outside of its own run.
  const readOnly = hosts.length === 0 && !usesSecrets;
  return {
    name: nameForModel(slug),
    title: name,
    description: descriptionOf(offer, caller),
    inputSchema: argumentsSchema(withTextFiles(inputSchema)),
    ...(outputSchema && { outputSchema: resultSchema(outputSchema) }),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: false,
      openWorldHint: hosts.length > 0,
    },
    scopes: [START_RUNS.scope!],
    script: slug,
  };
}

function descriptionOf(
  { description, name, ...offer }: ScriptOffer,
  { environment }: WorkspaceCaller,
): string {
  const lines = [description.trim() === '' ? `Runs the script ${name}.` : description];
  if (stricterPolicy(offer.approvalPolicy, environment.approvalPolicy) !== 'none') {
    lines.push('A person has to approve each run before it begins.');
  } else if (offer.ask !== null) {
    const { title } = offer.ask.when;
    const words = typeof title === 'string' ? title : cutText(JSON.stringify(offer.ask.when), MOST_CONDITION);
    lines.push(`A person has to approve a run before it begins where its inputs match: ${words}`);
  }
  if (fileFieldsOf(offer.inputSchema).size > 0) {
    lines.push('Input files are given as {name, text}, or by the ids of uploaded files.');
  }
  return lines.join('\n\n');
}

/**
 * What the protocol allows: its root has this type alone, and properties are objects. A client refuses the whole list where one
 * tool differs, even if the schema is a right one. Left without a dialect it is of 2020-12, as which it was checked.
 */
function argumentsSchema({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!isSchemaObject(properties)) return { ...schema, type: 'object' };
  const shown = Object.entries(properties).map(([name, own]) => [name, withoutBoolean(own)]);
  return { ...schema, type: 'object', properties: Object.fromEntries(shown) as JsonSchema };
}

/** `true` takes anything, and `false` nothing. */
function withoutBoolean(schema: unknown): unknown {
  if (typeof schema !== 'boolean') return schema;
  return schema ? {} : { not: {} };
}

/** Not the script's own: a run that is held or has failed has no such output, and clients refuse a result that does not fit. */
function resultSchema({ $schema: _, ...outputSchema }: JsonSchema): Record<string, unknown> {
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      runId: text,
      status: { type: 'string', enum: ['awaiting_approval', 'running', 'succeeded', 'failed', 'cancelled'] },
      environment: text,
      output: below(withoutPatterns(outputSchema), '/properties/output'),
      outputCut: { type: 'boolean', description: 'The output is left out, since it is too long.' },
      error: text,
      approveUrl: { type: ['string', 'null'] },
      waitsFor: text,
      next: text,
    },
    required: ['runId', 'status'],
  };
}
