import { describe, expect, it } from 'vitest';

import { type Draft, newDraft } from './draft.js';
import { takenIn } from './taken-in.js';

type Content = Draft['files'][number]['content'];

function draft(files: Record<string, Content>, settings: Partial<Draft['settings']> = {}): Draft {
  const list = Object.entries(files).map(([path, content]) => ({ path, content, executable: false }));
  return { ...newDraft(list, settings), base: null };
}

const contents = ({ files }: Draft) => Object.fromEntries(files.map(({ path, content }) => [path, content]));

describe('takenIn', () => {
  it('takes what only the other has changed, and keeps what only the draft has', () => {
    const base = draft(
      { 'a.py': '1', 'b.py': '1', 'gone.py': '1', 'c.py': '1' },
      { command: 'x', timeout: 30 },
    );
    const mine = draft(
      { 'a.py': '2', 'b.py': '1', 'gone.py': '1', 'mine.py': 'm' },
      { command: 'y', timeout: 30 },
    );
    const theirs = draft(
      { 'a.py': '1', 'b.py': '3', 'c.py': '1', 'new.py': 'n' },
      { command: 'x', timeout: 60 },
    );
    const { draft: merged, marked, kept } = takenIn(mine, base, theirs);
    expect(contents(merged)).toEqual({ 'a.py': '2', 'b.py': '3', 'mine.py': 'm', 'new.py': 'n' });
    expect(merged.settings).toMatchObject({ command: 'y', timeout: 60 });
    expect([marked, kept]).toEqual([[], []]);
  });

  it('puts together a text that both have changed, and marks the lines that both have', () => {
    const base = draft({ 'a.py': 'one\ntwo\nthree\nfour\nfive\n', 'b.py': 'one\n' });
    const mine = draft({ 'a.py': 'one\ntwo\nthree\nfour\nFIVE\n', 'b.py': 'mine\n' });
    const theirs = draft({ 'a.py': 'ONE\ntwo\nthree\nfour\nfive\n', 'b.py': 'theirs\n' });
    const { draft: merged, marked, kept } = takenIn(mine, base, theirs);
    expect(contents(merged)).toEqual({
      'a.py': 'ONE\ntwo\nthree\nfour\nFIVE\n',
      'b.py': '<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> published\n',
    });
    expect([marked, kept]).toEqual([['b.py'], []]);
  });

  it('keeps the draft’s where both cannot stand, and says so', () => {
    const bytes = (byte: number) => new Uint8Array([byte]);
    const base = draft({ 'a.bin': bytes(1), 'b.py': '1' }, { hosts: ['a'] });
    const mine = draft({ 'a.bin': bytes(2) }, { hosts: ['b'] });
    const theirs = draft({ 'a.bin': bytes(3), 'b.py': '2' }, { hosts: ['c'] });
    const { draft: merged, marked, kept } = takenIn(mine, base, theirs);
    expect(contents(merged)).toEqual({ 'a.bin': bytes(2) });
    expect(merged.settings.hosts).toEqual(['b']);
    expect([marked, kept]).toEqual([[], ['a.bin', 'b.py', 'the hosts']]);
  });
});
