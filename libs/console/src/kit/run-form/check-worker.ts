import type { RJSFSchema } from '@rjsf/utils';

import { LOADED } from '../off-thread.js';
import { inputProblems } from './input-problems.js';

export interface CheckQuestion {
  schema: RJSFSchema;
  inputs: unknown;
}

self.onmessage = ({ data: { schema, inputs } }: MessageEvent<CheckQuestion>) =>
  self.postMessage(inputProblems(schema, inputs));
self.postMessage(LOADED);
