import { parse } from '@babel/parser';

import { MOST_PROBLEMS, type TextProblem } from './text-problem.js';

export interface ScriptQuestion {
  text: string;
  isTyped: boolean;
  hasElements: boolean;
}

/** Of JavaScript and TypeScript. */
export function scriptProblems({ text, isTyped, hasElements }: ScriptQuestion): TextProblem[] {
  try {
    const { errors } = parse(text, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      // A function's file may be read as a module or not, and a script ends where it wants to.
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      plugins: [
        ...(isTyped ? (['typescript', 'decorators-legacy'] as const) : []),
        ...(hasElements ? (['jsx'] as const) : []),
      ],
    });
    return (errors ?? []).slice(0, MOST_PROBLEMS).map((error) => problemOf(error, text));
  } catch (error) {
    return [problemOf(error, text)];
  }
}

function problemOf(error: unknown, text: string): TextProblem {
  const { message, pos } = error as { message: string; pos?: number };
  const at = Math.min(pos ?? 0, Math.max(0, text.length - 1));
  const word = /^[\w$]+/.exec(text.slice(at))?.[0].length ?? 1;
  return { from: at, to: Math.min(text.length, at + word), message: message.replace(/ \(\d+:\d+\)$/, '') };
}
