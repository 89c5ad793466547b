/**
 * Milliseconds of CPU that this process has taken. For bounds of work: what else a busy machine does at the same time
 * does not count, as it would by the clock.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
