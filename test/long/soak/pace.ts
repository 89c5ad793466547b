const TICK_MS = 5;

/**
 * Calls a task so many times a second, as evenly as a timer allows, until it is stopped. What a late timer missed is
 * made up for at once, so that the rate holds.
 */
export function pace(perSecond: number, task: () => void): () => void {
  const began = performance.now();
  let done = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    while (done < due) {
      done++;
      task();
    }
  }, TICK_MS);
  return () => clearInterval(timer);
}
