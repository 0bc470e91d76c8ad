import { describe, expect, it } from 'vitest';

import { RawJson } from '../core/json/index.js';
import type { HeldRunDto } from '../runs/index.js';
import { runResult } from './run-result.js';

function run(fields: Partial<HeldRunDto>): HeldRunDto {
  return {
    id: 'run_1',
    environment: 'production',
    status: 'succeeded',
    error: null,
    progress: null,
    progressMessage: null,
    approval: null,
    waitingApprovalIds: [],
    files: [],
    ...fields,
  } as unknown as HeldRunDto;
}

const ofOutput = (json: string): ReturnType<typeof runResult> =>
  runResult(run({ output: new RawJson(json) }), []);

describe('the result of a run', () => {
  it('is the output: a text as it is, anything else as JSON', () => {
    expect(ofOutput('"fine"')).toMatchObject({
      text: 'fine',
      isError: false,
      structured: { output: 'fine' },
    });
    expect(ofOutput('{"n": 1.50}')).toMatchObject({
      text: '{"n": 1.50}',
      structured: { output: { n: 1.5 } },
    });
    expect(runResult(run({ output: null }), [])).toMatchObject({
      text: 'null',
      structured: { output: null },
    });
  });

  it('is cut between two characters, never in silence, with a link to all of it', () => {
    const { text, structured, links } = ofOutput(JSON.stringify('é'.repeat(500_000)));
    expect(text.endsWith('\nCut: 32 KiB of 977 KiB. All of it: gatehouse://runs/run_1/output')).toBe(true);
    expect(text).not.toContain('\ufffd');
    expect(Buffer.byteLength(text)).toBeLessThan(33 * 1024);
    expect(structured).toEqual({
      runId: 'run_1',
      status: 'succeeded',
      environment: 'production',
      outputCut: true,
    });
    expect(links).toEqual([
      { uri: 'gatehouse://runs/run_1/output', name: 'output', mimeType: 'text/plain', size: 1_000_000 },
    ]);
  });

  it('says when it is tried again, and that it is not to be started again', () => {
    const retrying = { status: 'running', phase: 'retrying', attempt: 2, error: 'exit code 75' } as const;
    const nextAttemptAt = '2026-11-26T06:00:00.000Z';
    const { text, structured, isError } = runResult(run({ ...retrying, nextAttemptAt }), []);
    expect(text).toContain(
      `Attempt 2 did not end well: exit code 75\nThe run is tried again at ${nextAttemptAt}.`,
    );
    expect(structured).toMatchObject({ status: 'running', attempt: 2, nextAttemptAt, error: 'exit code 75' });
    expect([text.includes('do not start it again'), isError]).toEqual([true, false]);
  });

  it('links to the files that it wrote, not to those that it was given', () => {
    const file = { name: 'a.csv', type: 'text/csv', size: 3 };
    const files = [
      { ...file, id: 'fil_in', direction: 'in' },
      { ...file, id: 'fil_out', direction: 'out' },
    ] as HeldRunDto['files'];
    const { links } = runResult(run({ output: new RawJson('1'), files: files! }), []);
    expect(links).toEqual([
      { uri: 'gatehouse://files/fil_out', name: 'a.csv', mimeType: 'text/csv', size: 3 },
    ]);
  });

  it('is an error with the end of the log where it failed', () => {
    const failed = run({ status: 'failed', error: 'exit code 1: boom' });
    expect(runResult(failed, ['one', 'boom'])).toMatchObject({
      isError: true,
      text: 'exit code 1: boom\nstatus: failed\nrunId: run_1\n\nThe last lines of its log:\none\nboom',
      structured: { status: 'failed', error: 'exit code 1: boom' },
    });
  });

  it('shows where a person decides about a request that it wants to send', () => {
    const approval = { id: 'apr_1', approveUrl: 'https://gatehouse.test/approvals/apr_1' };
    const asking = { status: 'running', phase: 'executing', approval } as const;
    const { text, structured, isError } = runResult(
      run({ ...asking, waitingApprovalIds: ['apr_1', 'apr_2'] }),
      [],
    );
    expect(text).toContain('A person has to approve 2 requests that this run wants to send.');
    expect(structured).toMatchObject({ status: 'running', approveUrl: approval.approveUrl });
    expect(isError).toBe(false);
  });

  it('tells what a held one waits for, and how to go on', () => {
    const approval = { id: 'apr_1', approveUrl: 'https://gatehouse.test/approvals/apr_1' };
    const { text, structured, isError } = runResult(run({ status: 'awaiting_approval', approval }), []);
    expect(isError).toBe(false);
    expect(text).toContain('approveUrl: https://gatehouse.test/approvals/apr_1');
    expect(text).toContain('wait_for_run');
    expect(structured).toMatchObject({ status: 'awaiting_approval', approveUrl: approval.approveUrl });
  });
});
