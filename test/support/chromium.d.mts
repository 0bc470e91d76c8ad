export const BROWSER: string;
export const BROWSER_ARGUMENTS: string[];
