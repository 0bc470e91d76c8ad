import { onlyInTheApp } from '../pages/only-in-the-app.js';

const MANAGE = 'API keys are managed in the app, by a person who is signed in there: no token can.';

export const list = onlyInTheApp(MANAGE, () => 'keys');
export const revoke = onlyInTheApp(MANAGE, () => 'keys');
