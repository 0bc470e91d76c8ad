import { type FamilyScope, type Way, familiesOf, scopeOf } from '../account/tokens/scope-words.js';

/** With these an app could open doors for others: a person ticks them on purpose. */
const NOT_TICKED: readonly string[] = [
  'workspace.secrets:write',
  'workspace.members:write',
  'workspace.environments:write',
  'workspace.webhooks:write',
];

export interface AskedScope {
  scope: FamilyScope;
  /** `Runs: start and cancel runs`. */
  words: string;
}

/** What an app asks for, in words and in the usual order. */
export function askedScopes(asked: readonly string[]): AskedScope[] {
  return familiesOf(asked).flatMap((family) =>
    (['read', 'write'] as const satisfies Way[]).flatMap((way) => {
      const scope = scopeOf(family.id, way);
      const words = `${family.name}: ${family[way] ?? (way === 'read' ? 'see them' : 'change them')}`;
      return asked.includes(scope) ? [{ scope, words }] : [];
    }),
  );
}

/** What is ticked before the person has chosen. */
export function tickedAtFirst(asked: readonly string[]): FamilyScope[] {
  return askedScopes(asked)
    .map(({ scope }) => scope)
    .filter((scope) => !NOT_TICKED.includes(scope));
}
