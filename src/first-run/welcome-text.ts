import type { FileDto } from '../files/index.js';
import type { HeldRunDto } from '../runs/index.js';
import { bearer } from './bearer.js';
import { EXAMPLE, EXAMPLE_FILE_FIELD } from './example-definition.js';
import type { ExampleReport } from './example-script.js';
import type { FirstRunCredentials } from './first-run-file.js';
import { jsonText } from './json-text.js';

const WIDTH = 96;

interface Welcome {
  credentials: FirstRunCredentials;
  report: ExampleReport;
  /** Where the credentials are kept. */
  path: string;
  settings: { ownerPassword: string | null; personalTokens: boolean };
}

/** What the log has of a first start. */
export function welcomeLine({ report, path }: Welcome): string {
  return `${exampleLine(report)} The credentials of the first start are in ${path}`;
}

/** What somebody reads who started Gatehouse for the first time, on a terminal. */
export function welcomeText(welcome: Welcome): string {
  const { credentials, path, settings } = welcome;
  const password =
    settings.ownerPassword === null ? credentials.password : 'as given by GATEHOUSE_OWNER_PASSWORD';
  return [
    '',
    exampleLine(welcome.report),
    ...returned(welcome.report),
    '',
    'Try it:',
    '',
    ...commands(welcome).flatMap(({ what, command }) => [`  # ${what}`, `  ${command}`, '']),
    `  Open        ${credentials.baseUrl}`,
    `  E-mail      ${credentials.email}`,
    `  Password    ${password}`,
    `  Workspace   ${credentials.workspace}`,
    `  Token       ${credentials.personalAccessToken}`,
    `  API key     ${credentials.apiKey}`,
    `  Guide       ${credentials.baseUrl}/docs/guide`,
    `  Routes      ${credentials.baseUrl}/docs`,
    '',
    `This is shown once. It is kept in ${path}`,
    '',
  ].join('\n');
}

function exampleLine({ run, file, tookMs, problem }: ExampleReport): string {
  const script = `The example script ${EXAMPLE.slug}`;
  if (problem !== null) return `${script} could not be set up: ${problem}`;
  if (!run)
    return `${script} is published. This process runs no scripts: start a worker, and then the example.`;
  if (run.phase !== 'finished') {
    return `${script} is still ${run.phase} after ${milliseconds(tookMs)}; the list of runs tells how it goes on.`;
  }
  if (run.status !== 'succeeded') return `${script} ${run.status}: ${run.error}`;
  const wrote = run.files?.filter(({ direction }) => direction === 'out').map(nameAndSize) ?? [];
  return `${script} ran in its sandbox: ${milliseconds(run.durationMs!)}, and ${milliseconds(tookMs)} from request to response. It was given ${nameAndSize(file!)}, and wrote ${wrote.join(' and ')}.`;
}

function returned({ run }: ExampleReport): string[] {
  if (run?.status !== 'succeeded') return [];
  return ['It returned', '', jsonText(run.output, WIDTH).replace(/^/gm, '  ')];
}

interface Command {
  what: string;
  command: string;
}

function commands({ credentials, report, settings }: Welcome): Command[] {
  const { baseUrl } = credentials;
  const headers = Object.entries(bearer(credentials, settings.personalTokens)).map(
    ([name, value]) => `-H '${name}: ${value}'`,
  );
  const get = (path: string, options = '') =>
    [`curl -sS ${options}'${baseUrl}${path}'`, headers.join(' ')].join(' \\\n    ');
  const post = (path: string, json: object) =>
    [
      `curl -sS '${baseUrl}${path}'`,
      headers.join(' '),
      `-H 'content-type: application/json' -d '${JSON.stringify(json)}'`,
    ].join(' \\\n    ');
  const { run, file } = report;
  return [
    file
      ? {
          what: 'Run it again: where in Europe people live closest together',
          command: post(`/v1/scripts/${EXAMPLE.slug}/runs`, {
            inputs: { [EXAMPLE_FILE_FIELD]: file.id, region: 'Europe', measure: 'density' },
          }),
        }
      : { what: 'Your scripts', command: get('/v1/scripts') },
    lookAt(run, get),
    { what: 'All runs, the newest first', command: get('/v1/runs?limit=5') },
  ];
}

function lookAt(run: HeldRunDto | null, get: (path: string, options?: string) => string): Command {
  const chart = run?.files?.find(({ direction, name }) => direction === 'out' && name.endsWith('.svg'));
  if (chart)
    return {
      what: 'The chart that it drew',
      command: get(`/v1/files/${chart.id}/content`, `-o ${chart.name} `),
    };
  if (run) return { what: 'What it logged', command: get(`/v1/runs/${run.id}/log`) };
  return { what: 'Your workspace', command: get('/v1/workspace') };
}

function nameAndSize({ name, size }: FileDto): string {
  return `${name} (${(size / 1000).toFixed(1)} kB)`;
}

function milliseconds(duration: number): string {
  return duration < 1000 ? `${Math.round(duration)} ms` : `${(duration / 1000).toFixed(1)} s`;
}
