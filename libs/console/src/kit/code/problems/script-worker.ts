import { LOADED } from '../../off-thread.js';
import { type ScriptQuestion, scriptProblems } from './script-problems.js';

self.onmessage = ({ data }: MessageEvent<ScriptQuestion>) => self.postMessage(scriptProblems(data));
self.postMessage(LOADED);
