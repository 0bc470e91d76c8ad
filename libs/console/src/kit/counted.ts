import { LOCALE } from './locale.js';

/** `1 run`, `2,500 runs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString(LOCALE)} ${count === 1 ? one : many}`;
}
