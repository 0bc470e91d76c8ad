import { spawn } from 'node:child_process';

/** The service in a terminal of its own, as a person starts it. SIGINT to this process is their Ctrl-C. */
const command = `stty -onlcr; exec '${process.execPath}' dist/src/main.js`;
const terminal = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
  stdio: ['pipe', 'inherit', 'inherit'],
});
process.on('SIGINT', () => terminal.stdin.write('\x03'));
terminal.once('exit', (code) => process.exit(code));
