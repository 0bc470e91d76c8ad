export type LogFormat = 'text' | 'json';

/** Text where a person looks on and JSON elsewhere, unless a setting says. It is known before the settings are checked, so that what is wrong with them is written likewise. */
export function logFormat({ GATEHOUSE_LOG_FORMAT: set }: NodeJS.ProcessEnv): LogFormat {
  const format = set?.trim();
  if (format === 'text' || format === 'json') return format;
  return process.stdout.isTTY ? 'text' : 'json';
}
