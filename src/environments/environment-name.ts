/**
 * Names travel in the header `x-environment`, so they are printable ASCII without spaces at either end. One that looks
 * like an id would be mistaken for it in a path.
 */
export const ENVIRONMENT_NAME =
  /^(?!env_[0-7][0-9a-hjkmnp-tv-z]{25}$)[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,98}[A-Za-z0-9._-])?$/;

export const ENVIRONMENT_NAME_RULE =
  'must be 1 to 100 letters, digits, spaces and any of . _ -, begin with a letter or digit, not end with a space and not look like an id';
