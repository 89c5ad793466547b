export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

interface Outgoing {
  readonly status: number;
  readonly head: unknown;
  readonly body: string;
}

interface Listener {
  accept(): number;
  handle(): Outgoing;
  refuse(): Outgoing;
  failed(): void;
}

interface Transport {
  listen(address: ListenAddress, listener: Listener): Promise<{ readonly port: number; close(): Promise<void> }>;
}

export type TransportKind = 'uws' | 'socket';

export const emptyServerLimits = {
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  idleTimeoutMs: 10_000,
  headerBytes: 16_384,
};

/** What is used of the built transport. It is loaded from where it was built, as nothing else of the service is. */
export interface BuiltTransport {
  openTransport(
    wish: { readonly choice: 'auto' | TransportKind; readonly threads: number },
    limits: Readonly<Record<string, number>>,
  ): Transport;
  headerBlock(headers: Readonly<Record<string, string>>): unknown;
}

export async function builtTransport(): Promise<BuiltTransport> {
  const transport = new URL('../../../src/http/transport/', import.meta.url);
  const [{ openTransport }, { headerBlock }] = (await Promise.all([
    import(new URL('open-transport.js', transport).href),
    import(new URL('header-block.js', transport).href),
  ])) as [Pick<BuiltTransport, 'openTransport'>, Pick<BuiltTransport, 'headerBlock'>];
  return { openTransport, headerBlock };
}

/** Whether this version of Node.js has what a transport needs. */
export function runsHere(open: () => unknown): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}
