import { describe, expect, it } from 'vitest';

import { InvalidRequest } from '../../core/errors/index.js';
import { joinedTeams } from './invitation-teams.js';

const FOUND = [
  { id: 'everyone', isDefault: true },
  { id: 'a', isDefault: false },
  { id: 'b', isDefault: false },
];
const problems = (ids: string[], isGuest: boolean) => {
  try {
    return joinedTeams(ids, FOUND, isGuest);
  } catch (error) {
    return (error as InvalidRequest).details;
  }
};

describe('the teams of an invitation', () => {
  it('are those that are named, each once, besides the default one', () => {
    expect(joinedTeams([], FOUND, false)).toEqual([]);
    expect(joinedTeams(['b', 'a', 'b', 'everyone'], FOUND, false)).toEqual(['b', 'a']);
    expect(joinedTeams(['a'], FOUND, true)).toEqual(['a']);
  });

  it('are of the workspace, and not the default one for a guest', () => {
    expect(problems(['a', 'x', 'y'], false)).toEqual([
      { path: 'teamIds.1', message: 'is not the id of a team of this workspace' },
      { path: 'teamIds.2', message: 'is not the id of a team of this workspace' },
    ]);
    expect(problems(['a', 'everyone'], true)).toEqual([
      { path: 'teamIds.1', message: 'is the default team, which has no guests' },
    ]);
  });
});
