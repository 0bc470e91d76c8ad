import { describe, expect, it } from 'vitest';

import { waysTo } from './ways.js';

const ADDRESS = 'https://gatehouse.example.com/mcp';
const linkOf = (id: string): string => waysTo(ADDRESS, 'acme').find((way) => way.id === id)!.link!;

describe('the ways to connect an app', () => {
  it('open Cursor with what its file would have', () => {
    const { protocol, searchParams } = new URL(linkOf('cursor'));
    expect([protocol, searchParams.get('name')]).toEqual(['cursor:', 'gatehouse']);
    expect(JSON.parse(atob(searchParams.get('config')!))).toEqual({ url: ADDRESS });
  });

  it('open VS Code with a server of a name', () => {
    const { protocol, search } = new URL(linkOf('vs-code'));
    expect(protocol).toBe('vscode:');
    expect(JSON.parse(decodeURIComponent(search.slice(1)))).toEqual({
      name: 'gatehouse',
      type: 'http',
      url: ADDRESS,
    });
  });

  it('name the workspace of a call without an app', () => {
    const { text } = waysTo(ADDRESS, 'acme').find(({ id }) => id === 'curl')!;
    expect(text).toContain(`-H 'X-Workspace: acme'`);
    expect(JSON.parse(/-d '(.*)'$/.exec(text)![1]!)).toMatchObject({ params: { name: 'list_scripts' } });
  });
});
