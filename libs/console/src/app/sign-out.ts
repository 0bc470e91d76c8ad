import { authLogout } from '@gatehouse/client/operations';

import { basePath } from '../api/base.js';
import { isProblem } from '../api/problem.js';
import { notifyProblem } from '../kit/notify.js';

/**
 * Ends the session and begins anew at the sign-in page, with a page load: nothing that the person has read stays in
 * memory for the next one.
 */
export async function signOut(search = ''): Promise<void> {
  try {
    await authLogout();
  } catch (error) {
    if (!isProblem(error, 'unauthorized')) return notifyProblem(error);
  }
  // What was typed into forms is the person's own.
  sessionStorage.clear();
  window.location.assign(`${basePath}/sign-in${search}`);
}
