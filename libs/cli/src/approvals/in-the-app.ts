import { onlyInTheApp } from '../pages/only-in-the-app.js';

const DECIDE = 'People decide in the app, signed in as themselves: no token can.';

export const list = onlyInTheApp(
  'Only a person in the app sees every request. Of one that this token has filed: gatehouse approvals view ID',
  () => 'approvals',
);
export const approve = onlyInTheApp(DECIDE, ([id]) => id!);
export const deny = onlyInTheApp(DECIDE, ([id]) => id!);
