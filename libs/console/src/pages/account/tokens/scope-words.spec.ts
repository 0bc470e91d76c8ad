import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { MCP_SCOPE, SCOPE_FAMILIES, familiesOf, scopesText, usedOf } from './scope-words.js';

const document = JSON.parse(
  readFileSync(new URL('../../../../../client/openapi.json', import.meta.url), 'utf8'),
) as {
  components: { schemas: { PersonalTokenInput: { properties: { scopes: { items: { enum: string[] } } } } } };
};
const scopes = document.components.schemas.PersonalTokenInput.properties.scopes.items.enum;

describe('The words for scopes', () => {
  it('are there for each that the service knows, and for no other', () => {
    const named = SCOPE_FAMILIES.flatMap(({ id }) => [`${id}:read`, `${id}:write`]);
    expect([...named, MCP_SCOPE].sort()).toEqual([...scopes].sort());
  });

  it('say what a token may do', () => {
    expect(scopesText(['scripts:read', 'runs:read', 'runs:write'])).toBe('Scripts (read only), runs');
    expect(scopesText(['files:write'])).toBe('Files (write only)');
    expect(scopesText(scopes.filter((scope) => scope !== MCP_SCOPE))).toBe('Everything');
    expect(scopesText(scopes)).toBe('Everything; connect by MCP');
    expect(scopesText([MCP_SCOPE])).toBe('Connect by MCP');
    expect(familiesOf([MCP_SCOPE])).toEqual(SCOPE_FAMILIES);
    expect(scopesText(scopes.filter((scope) => scope.endsWith(':read')))).toBe('Everything (read only)');
  });

  it('are made of its name for one of an extension', () => {
    const all = [...scopes, 'tickets.old_ones:read', 'tickets.old_ones:write'];
    expect(familiesOf(all).at(-1)).toMatchObject({ id: 'tickets.old_ones', name: 'Tickets old ones' });
    expect(usedOf(all)).toContain('tickets.old_ones:write');
    expect(usedOf(all)).not.toContain('workspace.audit:write');
    expect(scopesText(['runs:read', 'tickets.old_ones:read'], all)).toBe(
      'Runs (read only), tickets old ones (read only)',
    );
    expect(scopesText(scopes, all)).not.toContain('Everything');
    expect(scopesText(all, all)).toBe('Everything; connect by MCP');
  });
});
