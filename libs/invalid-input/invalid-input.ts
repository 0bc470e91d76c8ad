/** One place in what was given, in dotted form such as `inputs.city`, and what is wrong there. */
export interface InputProblem {
  path: string;
  message: string;
}

/** What the libraries throw where what they were given is wrong. Whoever sent it may read the message and the details. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';

  /** @param details at least one */
  constructor(
    message: string,
    readonly details: InputProblem[],
  ) {
    super(message);
  }

  /** The common case of one wrong place. */
  static at(path: string, message: string): InvalidInput {
    return new InvalidInput(`${path}: ${message}`, [{ path, message }]);
  }
}
