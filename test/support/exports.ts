import { baseUrl, client, newWorkspace } from './gatehouse.js';
import { finished, python, run, runUntil } from './scripts.js';

/** The response to a request for an export, as a stream. */
export function exported(path: string, token: string, workspace: string): Promise<Response> {
  return fetch(new URL(path, baseUrl()), {
    headers: { authorization: `Bearer ${token}`, 'x-workspace': workspace },
  });
}

/** A workspace with a run that has ended. */
export async function worldWithRun(code: string) {
  const workspace = await newWorkspace();
  const { owner, slug } = workspace;
  const api = client({ token: owner.token, workspace: slug });
  const script = await python(api, code);
  const { body } = await run(api, script);
  const ended = await runUntil(api, body.id as string, finished);
  return { workspace, api, script, ended, token: owner.token, slug };
}
