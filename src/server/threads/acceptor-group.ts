import { type Acceptor, type AcceptorDependencies, startAcceptor } from './acceptors.ts';
import { ServingFlag } from './serving-flag.ts';

/** All acceptors of the service. */
export class AcceptorGroup {
  readonly #dependencies: AcceptorDependencies;
  readonly #firstSlot: number;
  readonly #serving: ServingFlag;
  readonly #started: Acceptor[] = [];
  #turn = 0;

  constructor(dependencies: AcceptorDependencies, firstSlot: number) {
    this.#dependencies = dependencies;
    this.#firstSlot = firstSlot;
    this.#serving = new ServingFlag(dependencies.memory.serving);
  }

  /** Resolves when all listen. The first one tells whether others can share its port. Where one fails, `drain` ends the others. */
  async start(): Promise<Acceptor['listening']> {
    const { listening } = await this.#start(0);
    if (!listening.sharesPort) return listening;
    const others = Array.from({ length: this.#dependencies.config.threads - 1 }, (_, index) => this.#start(index + 1));
    for (const each of await Promise.allSettled(others)) if (each.status === 'rejected') throw each.reason;
    return listening;
  }

  get size(): number {
    return this.#started.length;
  }

  get failures(): Promise<Error>[] {
    return this.#started.map(({ failed }) => failed);
  }

  /** From now on the service says that it is ready. */
  serve(): void {
    this.#serving.set(true);
  }

  /** Makes the next acceptor, in turn, close its idle connections. */
  makeRoom(): void {
    this.#started[this.#turn++ % this.#started.length]?.makeRoom();
  }

  /** Ends all without dropping a request. Answers how many were cut off because they took too long. */
  async drain(): Promise<number> {
    this.#serving.set(false);
    const cutOff = await Promise.all(this.#started.map((acceptor) => acceptor.drain()));
    return cutOff.reduce((sum, each) => sum + each, 0);
  }

  async #start(index: number): Promise<Acceptor> {
    const acceptor = await startAcceptor(this.#dependencies, this.#firstSlot + index);
    this.#started.push(acceptor);
    return acceptor;
  }
}
