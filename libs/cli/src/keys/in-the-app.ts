import { onlyInTheApp } from '../pages/only-in-the-app.js';

const MANAGE = 'API keys are managed in the app, by a person who is signed in there: no token can.';
const OWN = 'Personal access tokens are made and revoked in the app, by whom they are of: no token can.';

export const list = onlyInTheApp(MANAGE, () => 'keys');
export const revoke = onlyInTheApp(MANAGE, () => 'keys');
export const listTokens = onlyInTheApp(OWN, () => 'tokens');
export const createToken = onlyInTheApp(OWN, () => 'new-token');
export const revokeToken = onlyInTheApp(OWN, () => 'tokens');
