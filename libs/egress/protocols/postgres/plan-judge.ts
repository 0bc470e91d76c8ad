import { type Judgement, Judge } from './judge.js';
import type { SqlError } from './messages.js';
import { isJudged, type PostgresOptions } from './postgres-options.js';

const PLANNED: SqlError = {
  severity: 'ERROR',
  code: '25006',
  message: 'This run is only planned: the statement was not sent. It is listed with the run.',
};

/** Judges for a run that only reads. It tells of what would pass otherwise. */
export class PlanJudge {
  private readonly reading: Judge;
  private readonly own: Judge | null;

  /**
   * @param options those of the host, with `readOnly` or without
   * @param onWithheld gets SQL as the client sent it
   */
  constructor(
    options: PostgresOptions,
    private readonly onWithheld: (sql: Buffer) => void,
  ) {
    this.reading = new Judge({ ...options, readOnly: true });
    this.own = isJudged(options) ? new Judge(options) : null;
  }

  judge(sql: Buffer): Judgement {
    const judgement = this.reading.judge(sql);
    if (judgement.refusal === null) return judgement;
    const own = this.own?.judge(sql).refusal ?? null;
    if (own !== null) return { ...judgement, refusal: own };
    this.onWithheld(sql);
    return { ...judgement, refusal: PLANNED };
  }
}

/** The word that a statement begins with, such as `INSERT`. */
export function commandOf(sql: string): string {
  const [word = ''] =
    /^[a-z]{1,20}\b/i.exec(sql.replace(/^(?:\s|--[^\n]*\n?|\/\*[^]*?\*\/|[(;])*/, '')) ?? [];
  return word === '' ? 'SQL' : word.toUpperCase();
}
