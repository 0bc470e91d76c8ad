import {
  type Labels,
  LABEL_KEY,
  labelValueProblem,
  MAX_LABEL_LENGTH,
  MAX_LABELS,
} from '../../scripts/index.js';

const LINE = /^::label[ \t]+([^=\s]+)=(.*)$/s;

/** What a line begins with that may give the run a label. */
export const LABEL_PREFIX = '::label';

const TOO_MUCH = `[labels were dropped here: a run has at most ${MAX_LABELS}, of at most ${MAX_LABEL_LENGTH} characters]`;

export interface PrintedLabel {
  key: string;
  value: string;
}

/** Reads `::label <name>=<value>`. Returns null for an ordinary line of the log, such as one without a value. */
export function parseLabel(line: string): PrintedLabel | null {
  const [, key, text] = LINE.exec(line) ?? [];
  const value = text?.trim();
  return key !== undefined && value && LABEL_KEY.test(key) ? { key, value } : null;
}

/** The labels of a run that goes on. What a script prints counts from then on. */
export class PrintedLabels {
  private labels: Labels;
  private written: Labels;
  private hasDropped = false;

  /** @param labels that it has already */
  constructor(labels: Labels) {
    this.labels = this.written = labels;
  }

  /** Returns what the log says of it, where it is too much: once. */
  add({ key, value }: PrintedLabel): string | null {
    const isNew = !Object.hasOwn(this.labels, key);
    if ((isNew && Object.keys(this.labels).length >= MAX_LABELS) || labelValueProblem(value) !== null) {
      if (this.hasDropped) return null;
      this.hasDropped = true;
      return TOO_MUCH;
    }
    if (this.labels[key] !== value) this.labels = { ...this.labels, [key]: value };
    return null;
  }

  /** All that the run has, to be written; null: nothing has changed since. */
  get changed(): Labels | null {
    return this.labels === this.written ? null : this.labels;
  }

  /** `changed` was written. */
  stored(labels: Labels | null): void {
    if (labels !== null) this.written = labels;
  }
}
