import { createServer } from 'node:net';

/**
 * Below those that systems, and the service, choose from by themselves, and above 10,080, the last port that `fetch`
 * refuses to call.
 */
const FIRST = 11_000;
const EACH = 1_000;
const PROCESSES = 10;

const first = FIRST + (Number(process.env.VITEST_POOL_ID ?? 0) % PROCESSES) * EACH;
let next = Math.floor(Math.random() * EACH);

/**
 * A port that nobody listens on, for a service that must know it before it starts. Processes that run tests at the same
 * time have ports of their own: between the look at one and the start of a service nobody else takes it.
 */
export async function nextPort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % EACH);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
