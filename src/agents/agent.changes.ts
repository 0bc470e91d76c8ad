import type { Agent } from './agent.entity.js';

export type AgentSettings = Pick<
  Agent,
  'name' | 'instructions' | 'model' | 'scripts' | 'enabled' | 'approvalPolicy' | 'budget'
>;

export type AgentField = keyof AgentSettings;

export const AGENT_FIELDS: readonly AgentField[] = [
  'name',
  'instructions',
  'model',
  'scripts',
  'enabled',
  'approvalPolicy',
  'budget',
];
