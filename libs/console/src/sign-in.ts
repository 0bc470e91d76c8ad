import { openSignIn } from './pages/entry/open-sign-in.js';

await openSignIn();
