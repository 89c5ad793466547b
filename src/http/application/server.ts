import type { ListenAddress, Listener, Listening, Transport } from '../transport/transport.ts';

export interface HttpServer {
  readonly port: number;
  /** False from the start of the drain: `/readyz` asks this. */
  readonly accepting: boolean;
  /**
   * Ends without dropping a request: first only says "not ready", for `delayMs`, so that load balancers turn away; then
   * stops accepting and waits for what is in flight, at most `timeoutMs`.
   * @returns how many requests were cut off
   */
  drain(delayMs: number, timeoutMs: number): Promise<number>;
  /** See `Listening`. */
  makeRoom(): Promise<void>;
  close(): Promise<void>;
}

/** Serves an application on a transport. */
export async function serveHttp(transport: Transport, address: ListenAddress, listener: Listener): Promise<HttpServer> {
  const listening: Listening = await transport.listen(address, listener);
  let accepting = true;
  let drained: Promise<number> | undefined;
  const drain = async (delayMs: number, timeoutMs: number): Promise<number> => {
    accepting = false;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return listening.drain(timeoutMs);
  };
  return {
    port: listening.port,
    get accepting() {
      return accepting;
    },
    // a second signal while draining must not start over
    drain(delayMs, timeoutMs) {
      drained ??= drain(delayMs, timeoutMs);
      return drained;
    },
    makeRoom: () => listening.makeRoom(),
    close() {
      accepting = false;
      return listening.close();
    },
  };
}
