import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CONFIGURATION = resolve('test/fuzz/schemathesis.toml');

/**
 * Runs Schemathesis as one actor. What it finds is printed with the curl lines that show it.
 *
 * @returns whether nothing was found
 */
export async function runPass(program, baseUrl, actor, { seconds, seed }) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-fuzz-'));
  console.log(`\n== As ${actor.name}, ${actor.phases.join(' and ')}, ${seconds} s, ${actor.about}`);
  try {
    const configuration = join(directory, 'schemathesis.toml');
    writeFileSync(configuration, configurationOf(actor));
    const headers = Object.entries(actor.headers).flatMap(([name, value]) => [
      '--header',
      `${name}: ${value}`,
    ]);
    return await run(
      program,
      [
        ...['--config-file', configuration, 'run', `${baseUrl}/v1/openapi.json`, '--no-color'],
        ...['--phases', actor.phases.join(','), '--max-time', String(seconds)],
        ...['--seed', String(seed), '--generation-database', 'none'],
        ...headers,
        ...(actor.only ?? []).flatMap((id) => ['--include-operation-id', id]),
        ...(actor.without ?? []).flatMap((id) => ['--exclude-operation-id', id]),
      ],
      directory,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** With the ids of what the actor's workspace has, so that paths lead somewhere. */
function configurationOf({ known }) {
  const text = readFileSync(CONFIGURATION, 'utf8');
  const names = Object.keys(known);
  const dictionaries = names.map(
    (name) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(known[name])}\n`,
  );
  const parameters = names.map((name) => {
    const place = name.startsWith('x-') ? 'header' : 'path';
    return `"${place}.${name}" = { dictionary = "${name}", probability = 0.8 }`;
  });
  return `hooks = ${JSON.stringify(resolve('test/fuzz/hooks.py'))}\n${text}\n[parameters]\n${parameters.join('\n')}\n\n${dictionaries.join('\n')}`;
}

function run(program, args, directory) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: directory, stdio: 'inherit' });
    child.once('error', (error) => done(Promise.reject(error)));
    child.once('close', (code) => done(code === 0));
  });
}
