import type { Context, Run } from '../context.js';
import { EXIT } from '../failure/exit-codes.js';
import { isInteractive } from '../terminal/interactive.js';
import { openInBrowser } from '../terminal/open-in-browser.js';
import { say } from '../terminal/say.js';
import { pageAddress } from './page-addresses.js';

/**
 * A command for what only a person in the app may do, whatever the token: it says so and opens the page.
 *
 * @param why a sentence for whoever expected the command to do it
 * @param page which page, of what the command was given
 */
export function onlyInTheApp(why: string, page: (args: string[]) => string): Run {
  return async ({ args, settings }: Context) => {
    const found = await settings();
    const address = pageAddress(found, page(args));
    say(why);
    say(`Do it at ${address}`);
    if (isInteractive()) await openInBrowser(address, found.url);
    return EXIT.notAllowed;
  };
}
