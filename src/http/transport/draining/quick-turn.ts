const SHORT = { firstMs: 0.1, growth: 0.001 };
const WAIT_MAX_MS = 5_000;

/**
 * Resolves directly after a short turn of the event loop in which no connection was accepted: every connection that
 * waited when the turn began has been accepted. Closing a listening socket resets the connections in its queue, and
 * these may carry requests. A turn is short below 0.1 ms; this limit grows by 1 µs with each millisecond waited.
 *
 * Not guaranteed: a connection that the kernel takes between that turn and the close is reset. If there was no such turn
 * in five seconds, all that wait are reset.
 * @param accepted how many connections were accepted so far, where the transport knows
 */
export async function quickTurn(accepted: () => number = () => 0): Promise<void> {
  const start = performance.now();
  for (;;) {
    const before = accepted();
    const from = performance.now();
    const waitedMs = from - start;
    if (waitedMs >= WAIT_MAX_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    const isShort = performance.now() - from < SHORT.firstMs + waitedMs * SHORT.growth;
    // libuv accepts one connection in a turn
    if (isShort && accepted() === before) return;
  }
}
