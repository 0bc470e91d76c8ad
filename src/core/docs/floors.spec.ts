import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

type Arrows = Map<string, Set<string>>;

/** Folder → the folders of the same parent that its files import; `libs` for all that is there. */
function importsAmong(parent: string): Arrows {
  const arrows: Arrows = new Map();
  const files = readdirSync(parent, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))) {
    const path = join(parent, file);
    const [from] = file.split('/');
    for (const [, target] of readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const to = placeOf(join(dirname(path), target!), parent);
      if (to !== null && to !== from) arrows.set(from!, (arrows.get(from!) ?? new Set()).add(to));
    }
  }
  return arrows;
}

function placeOf(target: string, parent: string): string | null {
  if (target.startsWith('libs/')) return 'libs';
  if (!target.startsWith(`${parent}/`)) return null;
  return target
    .slice(parent.length + 1)
    .split('/')[0]!
    .replace(/\.js$/, '.ts');
}

/** The arrows of a drawing: `a --> b & c[folder: words] --> d`. */
function drawn(text: string): Arrows {
  const names = new Map<string, string>();
  const arrows: Arrows = new Map();
  for (const [, id, label] of text.matchAll(/([\w-]+)\[([\w.-]+)/g)) names.set(id!, label!);
  const nodes = (side: string): string[] =>
    side
      .split('&')
      .map((node) => /^[\w-]+/.exec(node.trim())![0])
      .map((id) => names.get(id) ?? id);
  for (const line of text.split('\n').filter((each) => each.includes('-->'))) {
    const sides = line.split('-->').map(nodes);
    for (const [at, from] of sides.slice(0, -1).entries()) {
      for (const node of from) arrows.set(node, new Set([...(arrows.get(node) ?? []), ...sides[at + 1]!]));
    }
  }
  return arrows;
}

function below(arrows: Arrows, from: string, found = new Set<string>()): Set<string> {
  for (const to of arrows.get(from) ?? []) {
    if (!found.has(to)) below(arrows, to, found.add(to));
  }
  return found;
}

describe('the floors', () => {
  it('are in docs/architecture.md as they are in the code', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');
    const drawing = drawn(/^```mermaid\nflowchart TB\n([^]*?)^```$/m.exec(page)![1]!);
    const code = importsAmong('src');
    for (const [from, targets] of drawing) {
      for (const to of targets) expect([...(code.get(from) ?? [])], `${from} --> ${to}`).toContain(to);
    }
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders.filter((folder) => folder.name !== 'migrations')) {
      const reached = below(drawing, name);
      for (const to of code.get(name) ?? []) expect([...reached], `${name} imports ${to}`).toContain(to);
    }
  });

  it('of core are in the order of its README', () => {
    const readme = readFileSync('src/core/README.md', 'utf8');
    const rooms = [...readme.matchAll(/^\| `([a-z-]+)`/gm)].map(([, room]) => room!);
    const folders = readdirSync('src/core', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect([...rooms].sort()).toEqual(folders.map(({ name }) => name).sort());
    for (const [from, targets] of importsAmong('src/core')) {
      for (const to of [...targets].filter((room) => room !== 'libs')) {
        expect(rooms.indexOf(to), `${from} imports ${to}`).toBeGreaterThan(rooms.indexOf(from));
      }
    }
  });
});
