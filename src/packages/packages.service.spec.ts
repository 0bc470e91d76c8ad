import { describe, expect, it } from 'vitest';

import { Settings } from '../core/config/index.js';
import { NOT_MADE, PackagesService } from './packages.service.js';
import { renderPackages } from './render-packages.js';

/** Beside the source there are never any. */
describe('a Gatehouse that was built without its packages', () => {
  const packages = new PackagesService(new Settings({}));

  it.each([
    ['npm', () => packages.packument('@gatehouse/cli')],
    ['a download', () => packages.content('gatehouse-cli-0.2.0.tgz')],
  ])('tells %s what makes them', async (_, ask) => {
    await expect(ask()).rejects.toMatchObject({
      status: 404,
      message: NOT_MADE,
      headers: { 'npm-notice': NOT_MADE },
    });
  });

  it('tells a reader of the page', async () => {
    expect(await packages.list()).toEqual([]);
    expect(renderPackages([], { base: '', pages: [] })).toContain('npm run pack');
  });
});
