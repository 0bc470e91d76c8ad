/** What the editor offers to write, beside what its syntax knows. */
export interface Word {
  label: string;
  /** Beside it: `text, required`. */
  detail: string;
  /** What it is, in a sentence. */
  info?: string;
}
