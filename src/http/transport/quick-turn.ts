const quickMs = 1;
const turnsMax = 200;

/**
 * Resolves directly after a short turn of the event loop: every connection that waited when the turn began has been
 * accepted. Closing a listening socket resets the connections in its queue, and these may carry requests.
 *
 * Not guaranteed: a connection that the kernel takes between that turn and the close is reset.
 * @param accepted how many connections were accepted so far, where the transport knows
 */
export async function quickTurn(accepted: () => number = () => 0): Promise<void> {
  for (let turns = 0; turns < turnsMax; turns++) {
    const before = accepted();
    const from = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    // libuv accepts one connection in a turn
    if (accepted() === before && performance.now() - from < quickMs) return;
  }
}
