/**
 * Measures the processor time of this process, all its threads included, while `work` runs. Other processes of a busy machine do
 * not count, so a test may bound it.
 *
 * @returns milliseconds
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
