const quickMs = 1;
const turnsMax = 200;

/**
 * Resolves right behind a turn of the event loop in which little happened: what waited to be accepted when it began has
 * been. A listening socket that is closed resets the connections that wait in its queue, and those may carry requests.
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
