/** Attacks that were not answered by one of these, as they are shown: `chroot: done`. */
export function notRefused(answers: Readonly<Record<string, string>>, refusals: RegExp): string[] {
  return Object.entries(answers)
    .filter(([, answer]) => !refusals.test(answer))
    .map(([attack, answer]) => `${attack}: ${answer}`);
}

/** As `notRefused`, of two lists in the same order. */
export function notRefusedOf(
  attacks: readonly string[],
  answers: readonly string[],
  refusals: RegExp,
): string[] {
  return attacks
    .map((attack, index) => [attack, answers[index] ?? 'no answer'] as const)
    .filter(([, answer]) => !refusals.test(answer))
    .map(([attack, answer]) => `${attack}: ${answer}`);
}
