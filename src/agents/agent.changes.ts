import type { AgentPatch } from './agent.dto.js';
import type { Agent } from './agent.entity.js';

/** What of an agent can be changed. */
export type AgentSettings = Pick<Agent, 'name' | 'instructions' | 'model' | 'scripts' | 'enabled'>;

export type AgentField = keyof AgentSettings;

const FIELDS: readonly AgentField[] = ['name', 'instructions', 'model', 'scripts', 'enabled'];

/** @param scripts the agent's afterwards: those of the patch are checked before */
export function patched(before: AgentSettings, patch: AgentPatch, scripts: string[]): AgentSettings {
  return {
    name: patch.name ?? before.name,
    instructions: patch.instructions ?? before.instructions,
    model: patch.model === undefined ? before.model : patch.model,
    scripts,
    enabled: patch.enabled ?? before.enabled,
  };
}

export function changedFields(before: AgentSettings, after: AgentSettings): AgentField[] {
  return FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
