import { expect, it } from 'vitest';

import { nodeProblem } from './node-version.js';

it('says in a sentence that a Node is too old', () => {
  expect(nodeProblem('20.20.2')).toMatch(/^Gatehouse needs Node 24 or newer, and this is 20\.20\.2\. /);
  expect(['24.0.0', '25.1.0', undefined].map((version) => nodeProblem(version))).toEqual([null, null, null]);
});
