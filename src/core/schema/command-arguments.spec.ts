import { describe, expect, it } from 'vitest';

import { InvalidInput } from '../../../libs/invalid-input/index.js';
import { commandArguments } from './command-arguments.js';

describe('commandArguments', () => {
  it('fills in inputs and the paths of files', () => {
    const filePaths = { doc: '/inputs/doc/a.pdf' };
    expect(commandArguments('a {city} {doc}', { city: 'Bern', doc: 'file_1' }, filePaths)).toEqual([
      'a',
      'Bern',
      '/inputs/doc/a.pdf',
    ]);
  });

  it('points to GATEHOUSE_INPUTS where a value cannot be an argument', () => {
    const refused = () => commandArguments('a {x}', { x: 'a\0b' });
    expect(refused).toThrow(InvalidInput);
    expect(refused).toThrow('GATEHOUSE_INPUTS');
  });
});
