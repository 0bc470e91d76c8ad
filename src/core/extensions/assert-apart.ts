import { ExtensionProblem } from './extension-problem.js';
import { type LoadedExtension, wordOf } from './loaded-extension.js';

/** @throws ExtensionProblem where two have one name, which is what all that they add is told apart by */
export function assertApart(extensions: readonly LoadedExtension[]): void {
  const known = new Map<string, LoadedExtension>();
  for (const extension of extensions) {
    const other = known.get(wordOf(extension.name));
    if (other) {
      throw new ExtensionProblem(
        extension.reference,
        `it is called "${extension.name}", as ${other.reference} is. @Extension({ name }) gives it another name.`,
      );
    }
    known.set(wordOf(extension.name), extension);
  }
}
