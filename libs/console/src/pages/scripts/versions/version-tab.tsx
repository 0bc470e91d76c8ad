export function VersionTab() {
  return null;
}
