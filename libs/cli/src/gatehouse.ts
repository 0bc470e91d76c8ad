#!/bin/sh
declare const VERSION: string;

const [first, ...rest] = process.argv.slice(2);
if (rest.length === 0 && (first === '--version' || first === '-V')) {
  // Without loading anything: scripts ask for it often.
  console.log(VERSION);
} else {
  const { main } = await import('./main.js');
  process.exitCode = await main(process.argv.slice(2), VERSION);
}
