import type { Context } from '../context.js';
import { openInBrowser } from '../terminal/open-in-browser.js';
import { say } from '../terminal/say.js';
import { pageAddress } from './page-addresses.js';

export default async function open({ args, options, settings }: Context<{ print?: true }>): Promise<void> {
  const found = await settings();
  const address = pageAddress(found, args[0]);
  if (options.print || !(await openInBrowser(address, found.url))) console.log(address);
  else say(`Opening ${address}`);
}
