import '../../app/sign-in-styles.js';
import '../../app/app.css';

import { basePath } from '../../api/base.js';
import { patiently } from '../../api/retries.js';
import { askSession } from '../../api/sign-in-calls.js';
import { draw } from '../../app/draw.js';
import { EntryWordsContext } from '../../kit/entry-words-context.js';
import { loadSignInWays } from '../../kit/sign-in-ways.js';
import { entryWordsFor } from './entry-words-for.js';
import { addressOf, ownPage, readAddress } from './sign-in-address.js';
import { SignInPage } from './sign-in-page.js';

/**
 * Draws the page to sign in: a page of its own, without the app's router and its cache. The service sends it at `/sign-in`,
 * and to whoever has no session in place of a page that needs one.
 */
export async function openSignIn(): Promise<void> {
  const address = readAddress(location, basePath);
  const goOn = (): Promise<never> => {
    location.replace(ownPage(address.next, location.origin, basePath));
    return new Promise(() => undefined);
  };
  history.replaceState(null, '', basePath + addressOf(address));
  void loadSignInWays().catch(() => undefined);
  const [words, isSignedIn] = await Promise.all([
    entryWordsFor(navigator.languages),
    // Where the service cannot be asked, the form says so when it is sent.
    patiently(askSession).then(
      () => true,
      () => false,
    ),
  ]);
  if (isSignedIn && address.problem === null) return goOn();
  document.documentElement.lang = words.language;
  draw(
    <EntryWordsContext value={words}>
      <SignInPage address={address} isSignedIn={isSignedIn} goOn={goOn} />
    </EntryWordsContext>,
    false,
  );
}
