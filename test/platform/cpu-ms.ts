/**
 * Milliseconds of CPU that this process has taken. For bounds of work: what else a busy machine does at the same time
 * does not count, as it would by the clock.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * The same for work that is short, and done three times: the least of it, since a collection of garbage that others have
 * left may fall into one of them.
 */
export function leastCpuMs(work: () => void): number {
  const taken = Array.from({ length: 3 }, () => {
    const before = cpuMs();
    work();
    return cpuMs() - before;
  });
  return Math.min(...taken);
}
