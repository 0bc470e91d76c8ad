import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { npm, runProgram } from './child.mjs';
import { Obstacle, root } from './project.mjs';

/** What Gatehouse runs on at least, and what it fetches where the machine has less, with npm's digests of it. */
const OLDEST = 24;
const VERSION = '24.21.0';
const DIGESTS = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};
const folder = join(root, 'dist', 'node');
const fetched = join(folder, VERSION, 'package', 'bin', 'node');

/** Whether this process's Node can run Gatehouse. */
export const isNewEnough = Number(process.versions.node.split('.')[0]) >= OLDEST;

// Scripts stay on the machine's own.
if (!isNewEnough) process.env.GATEHOUSE_NODE ??= process.execPath;

/** The Node that everything runs on, once {@link ensureNode} has seen to it. */
export const nodePath = isNewEnough ? process.execPath : fetched;

/**
 * Fetches a Node from the npm registry where this one is too old and none was fetched before.
 * @throws {Obstacle}
 */
export async function ensureNode() {
  if (existsSync(nodePath)) return;
  console.log(`Fetching Node ${VERSION}: this is ${process.versions.node}, and Gatehouse needs ${OLDEST} …`);
  mkdirSync(folder, { recursive: true });
  const aside = mkdtempSync(join(folder, 'aside-'));
  try {
    await fetchInto(aside);
    // Workers that are started as root give up being root, and must still find it.
    chmodSync(aside, 0o755);
    rmSync(join(folder, VERSION), { recursive: true, force: true });
    renameSync(aside, join(folder, VERSION));
  } catch (error) {
    rmSync(aside, { recursive: true });
    throw error;
  }
}

async function fetchInto(directory) {
  const name = `node-linux-${process.arch}`;
  const archive = join(directory, `${name}-${VERSION}.tgz`);
  const pack = ['pack', `${name}@${VERSION}`, '--pack-destination', directory, '--loglevel=error'];
  await quietly(npm(pack, { quiet: true }));
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (DIGESTS[process.arch] !== `sha512-${digest}`)
    throw failed(`What the registry has as ${name}@${VERSION} is something else.`);
  await quietly(
    runProgram('tar', ['-xzf', archive, '-C', directory, 'package/bin/node', 'package/LICENSE'], {
      quiet: true,
    }),
  );
  rmSync(archive);
}

async function quietly(program) {
  const { code, output } = await program;
  if (code !== 0) throw failed(output);
}

const failed = (why) =>
  new Obstacle(
    `Node ${VERSION} could not be fetched: ${why}\nTry again, or install Node ${OLDEST} or newer.`,
  );

/** A program of an installed package or of ours, see {@link nodePath}. */
export function runNode(script, args, options) {
  return runProgram(nodePath, [script, ...args], options);
}
