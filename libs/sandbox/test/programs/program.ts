/** A script, and how it is started. */
export interface Program {
  name: string;
  source: string;
  /** Of the script. */
  file?: string;
  /** Behind the script's name. */
  args?: string[];
  /** Besides the script. */
  files?: Record<string, string>;
  env?: Record<string, string>;
}
