import type { WorkspaceRule } from '../core/access/index.js';
import { READ_FILES } from '../files/index.js';
import { READ_RUNS } from '../runs/index.js';

type ResourceKind = 'file' | 'output' | 'log';

interface ResourceType {
  kind: ResourceKind;
  template: string;
  name: string;
  description: string;
  /** That of the route which gives the same. */
  rule: WorkspaceRule;
}

/** What results link to. */
export const RESOURCE_TYPES: readonly ResourceType[] = [
  {
    kind: 'file',
    template: 'gatehouse://files/{fileId}',
    name: 'file',
    description: 'The bytes of a file that a run wrote or was given.',
    rule: READ_FILES,
  },
  {
    kind: 'output',
    template: 'gatehouse://runs/{runId}/output',
    name: 'output',
    description: 'The whole output of a run.',
    rule: READ_RUNS,
  },
  {
    kind: 'log',
    template: 'gatehouse://runs/{runId}/log',
    name: 'log',
    description: 'What a run printed.',
    rule: READ_RUNS,
  },
];

const PATTERNS = RESOURCE_TYPES.map((type) => ({
  type,
  pattern: new RegExp(`^${type.template.replace(/\{\w+\}/, '([a-z]{3}_[0-9a-z]{26})')}$`),
}));

/** What a URI names; null: no resource of this service. */
export function parseResourceUri(uri: string): { type: ResourceType; id: string } | null {
  for (const { type, pattern } of PATTERNS) {
    const id = pattern.exec(uri)?.[1];
    if (id !== undefined) return { type, id };
  }
  return null;
}

export const fileUri = (fileId: string): string => `gatehouse://files/${fileId}`;
export const outputUri = (runId: string): string => `gatehouse://runs/${runId}/output`;
export const logUri = (runId: string): string => `gatehouse://runs/${runId}/log`;
