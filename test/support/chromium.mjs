/** Debian's Chromium, or another one that is named. */
export const BROWSER = process.env.GATEHOUSE_TEST_BROWSER ?? '/usr/bin/chromium';

/** Quiet, without a window, and without a sandbox of its own: containers' root cannot make one. */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
