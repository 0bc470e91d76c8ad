import { describe, expect, it } from 'vitest';

import type { FileDto } from '../files/index.js';
import type { HeldRunDto } from '../runs/index.js';
import type { ExampleReport } from './example-script.js';
import { welcomeLine, welcomeText } from './welcome-text.js';

const credentials = {
  baseUrl: 'https://gatehouse.example',
  email: 'owner@localhost',
  password: 'a-password',
  workspace: 'main',
  personalAccessToken: 'svc_pat_1',
  apiKey: 'svc_sk_1',
};
const file = { id: 'fil_in', name: 'countries.csv', size: 12_345, direction: 'in' } as FileDto;
const chart = { id: 'fil_chart', name: 'chart.svg', size: 4_999, direction: 'out' } as FileDto;
const run = {
  id: 'run_1',
  status: 'succeeded',
  phase: 'finished',
  output: { countries: 242 },
  error: null,
  durationMs: 90,
  files: [file, chart],
} as unknown as HeldRunDto;
const settings = { ownerPassword: null, personalTokens: true };

function text(report: Partial<ExampleReport>, overrides: Partial<typeof settings> = {}): string {
  return welcomeText({
    credentials,
    report: { file, run, tookMs: 1234, problem: null, ...report },
    path: '/data/first-run.json',
    settings: { ...settings, ...overrides },
  });
}

describe('what the log has of a first start', () => {
  it('is one line, with the file of the credentials and none of them', () => {
    const report = { file, run, tookMs: 1234, problem: null };
    const line = welcomeLine({ credentials, report, path: '/data/first-run.json', settings });
    expect(line).toMatch(/^The example script country-chart ran .* are in \/data\/first-run\.json$/);
    expect(line).not.toMatch(/a-password|svc_/);
  });
});

describe('what a first start says', () => {
  it('tells what the example returned and how long it took', () => {
    expect(text({})).toContain('ran in its sandbox: 90 ms, and 1.2 s from request to response.');
    expect(text({})).toContain('given countries.csv (12.3 kB), and wrote chart.svg (5.0 kB).');
    expect(text({})).toContain('{ "countries": 242 }');
  });

  it('gives three commands: run it again, fetch the chart, list the runs', () => {
    const commands = text({}).match(/^ {2}curl .*$/gm)!;
    expect(commands).toHaveLength(3);
    expect(commands[0]).toContain(`'https://gatehouse.example/v1/scripts/country-chart/runs'`);
    expect(text({})).toContain(`"countries":"fil_in"`);
    expect(commands[1]).toContain(`-o chart.svg 'https://gatehouse.example/v1/files/fil_chart/content'`);
    expect(commands[2]).toContain(`'https://gatehouse.example/v1/runs?limit=5'`);
  });

  it('uses the API key where personal tokens are switched off', () => {
    const commands = text({}, { personalTokens: false }).split('Open')[0]!;
    expect(commands).toContain('Bearer svc_sk_1');
    expect(commands).not.toMatch(/svc_pat_|x-workspace/);
  });

  it('does not repeat a password that somebody chose', () => {
    expect(text({})).toContain('a-password');
    expect(text({}, { ownerPassword: 'a-password' } as never)).not.toContain('a-password');
  });

  it.each<[string, Partial<ExampleReport>, string]>([
    [
      'failed',
      { run: { ...run, status: 'failed', error: 'exit code 3: no python' } },
      'country-chart failed: exit code 3: no python',
    ],
    [
      'still waits',
      { run: { ...run, status: 'running', phase: 'queued' } },
      'country-chart is still queued after 1.2 s',
    ],
    ['was not run, for want of a worker', { run: null }, 'start a worker'],
    ['could not be set up', { run: null, file: null, problem: 'no room' }, 'could not be set up: no room'],
  ])('says so when the example %s, and still gives three commands', (_, report, words) => {
    expect(text(report)).toContain(words);
    expect(text(report).match(/^ {2}curl /gm)).toHaveLength(3);
    expect(text(report)).toContain('svc_sk_1');
  });
});
