import type { ScriptDetail } from '@gatehouse/client/operations';
import { createContext, use } from 'react';

export const ScriptContext = createContext<ScriptDetail | null>(null);

/** The script whose page is open. */
export function useScript(): ScriptDetail {
  const script = use(ScriptContext);
  if (!script) throw new Error('This is shown within the page of a script only.');
  return script;
}
