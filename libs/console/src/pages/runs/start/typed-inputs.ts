import { isJsonObject } from '../../../kit/json-object.js';

type Inputs = Record<string, unknown>;

const MOST_KEPT = 256 * 1024;

/** Which form: of whom, of which script, and what it began with. */
export interface FormName {
  userId: string;
  workspace: string;
  slug: string;
  /** The link or the earlier run that it was opened with. */
  begunWith: string;
}

/** What was typed into a run form that was left without running it, in this tab. */
export function typedInputs(form: FormName): Inputs | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(form)) ?? 'null');
    if (!isJsonObject(kept) || kept['begunWith'] !== form.begunWith) return null;
    return isJsonObject(kept['inputs']) ? kept['inputs'] : null;
  } catch {
    return null;
  }
}

export function keepTyped(form: FormName, inputs: Inputs): void {
  try {
    const text = JSON.stringify({ begunWith: form.begunWith, inputs });
    if (text.length <= MOST_KEPT) sessionStorage.setItem(keyOf(form), text);
  } catch {
    // Without storage a form that was left begins anew.
  }
}

export function forgetTyped(form: FormName): void {
  try {
    sessionStorage.removeItem(keyOf(form));
  } catch {
    // Then there is nothing to forget.
  }
}

function keyOf({ userId, workspace, slug }: FormName): string {
  return `gatehouse-typed:${userId}/${workspace}/${slug}`;
}
