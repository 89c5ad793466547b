import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  readonly node: Socket;
  readonly server: Socket;
}

/** A node's way to a NATS server. While it is held, what the node sends arrives, and the node hears nothing. */
export class HeldConnection {
  readonly #listener: Server;
  readonly #pairs = new Set<Pair>();
  #isHeld = false;

  private constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.#listener = createServer((node) => {
      const pair = { node, server: connect(Number(port), hostname) };
      this.#pairs.add(pair);
      node.pipe(pair.server);
      if (!this.#isHeld) pair.server.pipe(node);
      const end = (): void => {
        this.#pairs.delete(pair);
        node.destroy();
        pair.server.destroy();
      };
      for (const socket of [node, pair.server]) socket.on('close', end).on('error', end);
    });
  }

  /** @param target one URL of a server */
  static async to(target: string): Promise<HeldConnection> {
    const held = new HeldConnection(target);
    await new Promise<void>((resolve) => held.#listener.listen(0, '127.0.0.1', resolve));
    return held;
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`; // it listens
  }

  hold(): void {
    this.#isHeld = true;
    for (const { node, server } of this.#pairs) server.unpipe(node).pause();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    for (const { node, server } of this.#pairs) server.pipe(node);
  }

  close(): void {
    this.#listener.close();
    for (const { node, server } of this.#pairs) {
      node.destroy();
      server.destroy();
    }
  }
}
