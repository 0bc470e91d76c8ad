import { ProblemError } from '../../core/errors/index.js';

/** The kinds of mistakes that RFC 7644 has words for (section 3.12). */
type ScimType =
  'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'uniqueness';

/** What is wrong with a directory's request, in the protocol's words. */
export class ScimProblem extends ProblemError {
  constructor(
    readonly scimType: ScimType,
    message: string,
  ) {
    super(scimType === 'uniqueness' ? 'conflict' : 'invalid_request', message);
  }

  /** Of a value that does not fit. */
  static at(path: string, message: string): ScimProblem {
    return new ScimProblem('invalidValue', `${path}: ${message}`);
  }
}
