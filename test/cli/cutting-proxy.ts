import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands before a service, cuts the first stream of events as soon as it is open, and lets nobody in until told to. */
export class CuttingProxy {
  /** Resolves when a stream was cut. */
  readonly cut: Promise<void>;
  readonly #server = createServer((client) => this.#accept(client));
  readonly #target: URL;
  #isCut: () => void = () => {};
  #state: 'first' | 'closed' | 'open' = 'first';

  private constructor(target: string) {
    this.#target = new URL(target);
    this.cut = new Promise((resolve) => {
      this.#isCut = resolve;
    });
  }

  static async start(target: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Lets everybody in from now on. */
  open(): void {
    this.#state = 'open';
  }

  close(): void {
    this.#server.close();
  }

  #accept(client: Socket): void {
    if (this.#state === 'closed') return void client.destroy();
    const service = connect(Number(this.#target.port), this.#target.hostname);
    const end = (): void => {
      client.destroy();
      service.destroy();
    };
    for (const socket of [client, service]) socket.on('error', end).on('close', end);
    client.pipe(service);
    service.on('data', (chunk: Buffer) => {
      client.write(chunk);
      if (this.#state !== 'first' || !/^content-type: text\/event-stream/im.test(chunk.toString('latin1'))) return;
      this.#state = 'closed';
      end();
      this.#isCut();
    });
  }
}
