import { LOCALE } from '../locale.js';
import { durationText } from '../moment.js';
import { roundSteps } from './round-steps.js';

const MINUTE_MS = 60_000;
const UNITS = [60 * MINUTE_MS, MINUTE_MS, 1];

export interface Step {
  at: number;
  text: string;
}

/** The marks of a scale of milliseconds, from 0 to one that is not below `highest`: whole hours, minutes, or round below that. */
export function durationSteps(highest: number): Step[] {
  const unit = UNITS.find((one) => highest > 2 * one) ?? 1;
  return roundSteps(Math.ceil(highest / unit)).map((count) => ({
    at: count * unit,
    text: count === 0 ? '0' : durationText(count * unit).replace(/ 0 (s|min)$/, ''),
  }));
}

/** The same of how many there are. */
export function countSteps(highest: number): Step[] {
  return roundSteps(highest).map((at) => ({ at, text: at.toLocaleString(LOCALE) }));
}
