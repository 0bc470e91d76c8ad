export function UsageTab() {
  return null;
}
