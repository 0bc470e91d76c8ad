import { plainText } from '../terminal/plain-text.js';

/**
 * Paths below a folder for names that are a script's word. None leads out of it, begins as what programs obey or take for an
 * option, or is in the way of another.
 */
export function safePaths(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, place) => {
    const path = stepsOf(name).join('/');
    // Some systems pass over case, and a file may be called like the folder of another.
    const isFree = (wanted: string): boolean =>
      ![...taken].some(
        (other) => `${other}/`.startsWith(`${wanted}/`) || `${wanted}/`.startsWith(`${other}/`),
      );
    const own =
      path !== '' && isFree(path.toLowerCase()) ? path : `${place + 1}-${path.replaceAll('/', '-')}`;
    taken.add(own.toLowerCase());
    return own;
  });
}

function stepsOf(name: string): string[] {
  return plainText(name)
    .split(/[\\/]/)
    .filter((step) => step !== '' && step !== '.' && step !== '..')
    .map((step) =>
      step
        .replace(/[<>:"|?*\n\t]/g, '_')
        .replace(/^[.~-]+/, '_')
        .replace(/[. ]+$/, '_'),
    );
}
