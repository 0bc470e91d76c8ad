/** Stops the start: an extension cannot be used. The message names it, and says why. */
export class ExtensionProblem extends Error {
  constructor(extension: string, why: string, options?: ErrorOptions) {
    super(`The extension ${extension} cannot be used: ${why}`, options);
    this.name = 'ExtensionProblem';
  }
}
