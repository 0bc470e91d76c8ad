import { Gatehouse, type GatehouseOptions } from '@gatehouse/client';

import type { TestWorkspace } from '../../../libs/testing/index.js';
import { baseUrl } from '../../support/gatehouse.js';

/** The package, as the workspace's owner with a personal access token. */
export function gatehouseOf(
  { owner, slug }: TestWorkspace,
  options: Partial<GatehouseOptions> = {},
): Gatehouse {
  return new Gatehouse({ baseUrl: baseUrl(), token: owner.token, workspace: slug, ...options });
}
