import { EgressError, EgressRefused } from '../../../libs/egress/index.js';

const MOST_CAUSES = 8;

/** Why a provider cannot be asked about itself, as the end of a sentence about it. For the operator's log. */
export function whyUnusable(error: unknown): string {
  const causes = causesOf(error);
  const egress = causes.find((cause) => cause instanceof EgressError);
  if (egress instanceof EgressRefused) {
    return `may not be dialled: ${egress.reason}. GATEHOUSE_OUTBOUND_ALLOW opens private addresses.`;
  }
  if (egress) return `cannot be reached: ${egress.reason}.`;
  const messages = [...new Set(causes.map(({ message }) => message))].filter((message) => message !== '');
  return `cannot be used: ${messages.join(': ')}.`;
}

/** The error and what caused it, the outermost first. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  let cause = error;
  while (cause instanceof Error && causes.length < MOST_CAUSES) {
    causes.push(cause);
    ({ cause } = cause);
  }
  return causes;
}
