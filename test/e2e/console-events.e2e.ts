import { expect, it } from 'vitest';

import { domainOf } from '../../libs/console/src/app/event-domains.js';
import { client, newWorkspace } from '../support/gatehouse.js';

it('the console knows what the events of each domain make stale', async () => {
  const { owner, slug } = await newWorkspace();
  const { body } = await client({ token: owner.token, workspace: slug }).get('/v1/workspace/event-types');
  const types = (body.items as { type: string }[]).map(({ type }) => type);
  expect(types).toContain('run.started');
  // It tells of nothing that has happened.
  expect(types.filter((type) => domainOf(type) === null)).toEqual(['ping']);
});
