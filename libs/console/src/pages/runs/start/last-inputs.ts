import { isJsonObject } from '../../../kit/json-object.js';

const MOST_REMEMBERED = 64 * 1024;

/** What this person ran a script with the last time, in this browser. */
export function lastInputs(workspace: string, slug: string): Record<string, unknown> | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(workspace, slug)) ?? 'null');
    return isJsonObject(kept) ? kept : null;
  } catch {
    return null;
  }
}

export function rememberInputs(workspace: string, slug: string, inputs: Record<string, unknown>): void {
  try {
    const text = JSON.stringify(inputs);
    if (text.length <= MOST_REMEMBERED) localStorage.setItem(keyOf(workspace, slug), text);
  } catch {
    // Without storage each form begins with the defaults.
  }
}

export function forgetInputs(workspace: string, slug: string): void {
  try {
    localStorage.removeItem(keyOf(workspace, slug));
  } catch {
    // Then there is nothing to forget.
  }
}

function keyOf(workspace: string, slug: string): string {
  return `gatehouse-inputs:${workspace}/${slug}`;
}
