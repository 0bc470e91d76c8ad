import { lazyRouteComponent } from '@tanstack/react-router';

import { problemOf } from '../api/problem.js';
import { isReachable } from '../api/reachable.js';

/**
 * A page whose code is loaded when it is opened. Where the code is gone, the router loads everything anew; while the
 * service cannot be reached that would leave nothing but the browser's own notice, so it is a problem of this page then.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        throw (await isReachable()) ? error : problemOf(null, undefined);
      }),
    name,
  );
