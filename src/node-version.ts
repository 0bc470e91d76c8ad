const OLDEST = 24;

/** What to do about a Node on which the rest of the program does not even load; null: nothing. */
export function nodeProblem(version = process.versions.node): string | null {
  if (Number(version.split('.')[0]) >= OLDEST) return null;
  return `Gatehouse needs Node ${OLDEST} or newer, and this is ${version}. Install one; \`npm start\` and \`npm run admin\` fetch it by themselves.`;
}
