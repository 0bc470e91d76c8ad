import { parseForStringify, stringifyJson } from '../core/json/index.js';
import type { HeldRunDto } from '../runs/index.js';
import { fileUri, logUri, outputUri } from './resource-uri.js';
import { shortened } from './tool-results.js';
import type { ToolLink, ToolResult } from './tool.js';

/** What became of a run, or where it stands, for whoever called a tool that started or follows it. */
export function runResult(run: HeldRunDto, lastLines: readonly string[]): ToolResult {
  const { text, ...outcome } = outcomeOf(run, lastLines);
  return {
    text,
    structured: {
      runId: run.id,
      status: run.status,
      environment: run.environment,
      ...outcome.structured,
    },
    links: [...(outcome.links ?? []), ...fileLinks(run)],
    isError: run.status === 'failed' || run.status === 'cancelled',
    run,
  };
}

interface Outcome {
  text: string;
  structured: Record<string, unknown>;
  links?: ToolLink[];
}

function outcomeOf(run: HeldRunDto, lastLines: readonly string[]): Outcome {
  switch (run.status) {
    case 'succeeded':
      return ofOutput(run);
    case 'failed':
    case 'cancelled':
      return ofFailure(run, lastLines);
    case 'awaiting_approval':
      return ofHeld(run);
    case 'running':
      return ofRunning(run);
  }
}

function ofOutput(run: HeldRunDto): Outcome {
  const json = run.output ? stringifyJson(run.output) : 'null';
  const output = parseForStringify(json);
  const isText = typeof output === 'string';
  const uri = outputUri(run.id);
  const { text, cut, bytes } = shortened(isText ? output : json, `All of it: ${uri}`);
  if (!cut) return { text, structured: { output } };
  const mimeType = isText ? 'text/plain' : 'application/json';
  return {
    text,
    structured: { outputCut: true },
    links: [{ uri, name: 'output', mimeType, size: bytes }],
  };
}

function ofFailure(run: HeldRunDto, lastLines: readonly string[]): Outcome {
  const error = run.error ?? `The run was ${run.status}.`;
  const log = lastLines.length > 0 ? ['', 'The last lines of its log:', ...lastLines] : [];
  const which = [`status: ${run.status}`, `runId: ${run.id}`];
  const { text } = shortened([error, ...which, ...log].join('\n'), `All of the log: ${logUri(run.id)}`);
  return { text, structured: { error } };
}

function ofHeld({ id, approval }: HeldRunDto): Outcome {
  const waitsFor = 'A person has to approve this run before it begins.';
  const next = `Ask the person to open approveUrl. Then call wait_for_run with ${id}; do not start it again.`;
  const approveUrl = approval?.approveUrl ?? null;
  return {
    text: `${waitsFor}\napproveUrl: ${approveUrl}\nrunId: ${id}\n${next}`,
    structured: { approveUrl, waitsFor, next },
  };
}

function ofRunning(run: HeldRunDto): Outcome {
  const { id, progress, progressMessage } = run;
  if (run.phase === 'retrying') return ofRetrying(run);
  if (run.approval !== null) return ofAsking(run, run.approval);
  if (run.waitsBecause !== undefined) return ofWaiting(run, run.waitsBecause);
  const reached = progress === null ? '' : ` It is ${Math.round(progress * 100)} % done.`;
  const doing = progressMessage === null ? '' : ` It says: ${progressMessage}`;
  const next = `Call wait_for_run with ${id}; do not start it again.`;
  return { text: `The run goes on.${reached}${doing}\nrunId: ${id}\n${next}`, structured: { next } };
}

/** It goes on, but a request of it waits. */
function ofAsking(
  { id, waitingApprovalIds }: HeldRunDto,
  { approveUrl }: NonNullable<HeldRunDto['approval']>,
): Outcome {
  const count = waitingApprovalIds.length;
  const waitsFor = `A person has to approve ${count === 1 ? 'a request' : `${count} requests`} that this run wants to send.`;
  const next = `Ask the person to open approveUrl. Then call wait_for_run with ${id}; do not start it again.`;
  return {
    text: `${waitsFor}\napproveUrl: ${approveUrl}\nrunId: ${id}\n${next}`,
    structured: { approveUrl, waitsFor, next },
  };
}

function ofWaiting({ id, startAt }: HeldRunDto, why: string): Outcome {
  const next = `Call wait_for_run with ${id}; do not start it again.`;
  return {
    text: `The run has not begun. ${why}\nrunId: ${id}\n${next}`,
    structured: { next, startAt, waitsFor: why },
  };
}

function ofRetrying({ id, attempt, nextAttemptAt, error }: HeldRunDto): Outcome {
  const next = `Call wait_for_run with ${id}; do not start it again.`;
  return {
    text: `Attempt ${attempt} did not end well: ${error}\nThe run is tried again at ${nextAttemptAt}.\nrunId: ${id}\n${next}`,
    structured: { next, attempt, nextAttemptAt, error },
  };
}

function fileLinks({ files = [] }: HeldRunDto): ToolLink[] {
  return files
    .filter(({ direction }) => direction === 'out')
    .map(({ id, name, type, size }) => ({ uri: fileUri(id), name, mimeType: type, size }));
}
