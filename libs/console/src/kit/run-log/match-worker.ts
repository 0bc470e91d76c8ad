import { LOADED } from '../off-thread.js';
import { matchLines } from './match-lines.js';
import type { PatternQuestion } from './pattern-question.js';

self.onmessage = ({ data }: MessageEvent<PatternQuestion>) => self.postMessage(matchLines(data));
self.postMessage(LOADED);
