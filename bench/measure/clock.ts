/** `startedAt` is of `process.hrtime.bigint()`. */
export function secondsSince(startedAt: bigint): number {
  return Number(process.hrtime.bigint() - startedAt) / 1e9;
}

/** Lets the event loop go round once. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
