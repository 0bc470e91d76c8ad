import { publish } from '../bench/support/workbench.mjs';

const ATTEMPTS = 6;
const AGAIN = 75;
/** Ends badly before its third attempt. It may begin again where its worker is lost. */
const RETRIED = { slug: 'retried', succeedsAt: 3, on: [`exit:${AGAIN}`, 'lost'], idempotent: true };
/** Ends badly once. What is lost of it stays lost: it may have done a part of its work. */
const CAREFUL = { slug: 'careful', succeedsAt: 2, on: [`exit:${AGAIN}`], idempotent: false };
export const TRIED_AGAIN = [RETRIED.slug, CAREFUL.slug];

const CODE = `
import json, os, sys, urllib.request, uuid
mark, attempt = str(uuid.uuid4()), int(os.environ['GATEHOUSE_ATTEMPT'])
print('began ' + mark, file=sys.stderr, flush=True)
body = json.dumps({'run': os.environ['GATEHOUSE_RUN_ID'], 'attempt': attempt, 'mark': mark}).encode()
urllib.request.urlopen(urllib.request.Request('https://HOST/call', data=body, method='POST'), timeout=20).read()
sys.exit(AGAIN if attempt < SUCCEEDS_AT else 0)
`;

export async function prepareAttempts(api, host) {
  for (const { slug, succeedsAt, on, idempotent } of [RETRIED, CAREFUL]) {
    const code = CODE.replace('HOST', host).replace('AGAIN', AGAIN).replace('SUCCEEDS_AT', succeedsAt);
    const retry = { attempts: ATTEMPTS, delay: 0.5, factor: 1, on };
    const fields = { command: 'python3 main.py', hosts: [host], timeout: 60, retry, idempotent };
    await publish(api, slug, 'main.py', code, fields);
  }
}

/** Whether each attempt is there, was made for a reason, and was executed once. */
export async function judgeAttempts(api, runs, outside) {
  const verdict = { accepted: 0, lost: [], twice: [], stuck: [] };
  for (const { id, script, phase } of runs) {
    const tried = [RETRIED, CAREFUL].find(({ slug }) => slug === script.slug);
    if (!tried || phase !== 'finished') continue;
    const { attempt, attempts, status, error } = (await api.get(`/v1/runs/${id}`)).body;
    verdict.accepted += attempt;
    const numbers = attempts.map((one) => one.attempt);
    if (numbers.some((number, index) => number !== index + 1) || numbers.length !== attempt)
      verdict.lost.push(`${id} has the attempts ${numbers} of ${attempt}`);
    if (status === 'failed' && attempt < ATTEMPTS && mayFollow(tried, error))
      verdict.lost.push(`${id} was not tried again after attempt ${attempt}: ${error}`);
    const unfounded = attempts.slice(0, -1).filter((one) => !mayFollow(tried, one.error));
    verdict.twice.push(...unfounded.map((one) => `${id} was tried again after: ${one.error}`));
    const seen = [...outside.executions.keys()].filter((key) => key.startsWith(`${id} `));
    if (seen.some((key) => Number(key.split(' ')[1]) > attempt))
      verdict.twice.push(`${id} was executed more often than it says`);
  }
  return verdict;
}

/** Whether another attempt follows one that ended with this error. */
function mayFollow({ on }, error) {
  return (error ?? '').includes(`exit code ${AGAIN}`) || (on.includes('lost') && isLost(error));
}

function isLost(error) {
  return error === 'the worker running this was lost';
}
