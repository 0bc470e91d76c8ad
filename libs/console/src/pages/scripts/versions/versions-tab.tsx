export function VersionsTab() {
  return null;
}
