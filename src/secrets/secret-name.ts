/** The form of a name. Some names of this form are reserved. */
export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Names of environment variables that control the run itself. */
const RESERVED = /^(?:PATH|LD_.*|NODE_.*|PYTHON.*|.*_CA_.*|SSL_.*|GATEHOUSE_.*)$/;

/** Why a text cannot be the name of a secret, or null. */
export function secretNameProblem(name: string): string | null {
  if (!SECRET_NAME.test(name))
    return 'must be letters, digits and underscores, at most 64, not beginning with a digit';
  if (RESERVED.test(name)) return 'is a name that the run itself needs; choose another';
  return null;
}
