/** The lines that one list has and the other has not. */
export function lineChanges(before: string[], after: string[]): { added: string[]; removed: string[] } {
  return {
    added: after.filter((line) => !before.includes(line)),
    removed: before.filter((line) => !after.includes(line)),
  };
}
