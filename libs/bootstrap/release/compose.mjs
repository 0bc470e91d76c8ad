import assert from 'node:assert/strict';

/**
 * compose.yaml as a release has it: there is nothing to build an image from, and its own is named.
 * @param {string} text of a checkout's
 * @param {string} version
 */
export function composeOfRelease(text, version) {
  let found = 0;
  const made = text.replace(
    /^ *build: \.\n|(?<=\$\{GATEHOUSE_IMAGE:-gatehouse)(?=\})|(?<=up -d) --build/gm,
    (matched) => {
      found += 1;
      return matched === '' ? `:${version}` : '';
    },
  );
  assert.equal(found, 3, 'compose.yaml has an image, where it is built, and the command that does');
  return made;
}
