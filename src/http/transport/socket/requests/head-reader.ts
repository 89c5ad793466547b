import { SecondChanceCache } from '#engine';
import type { KnownHead } from './known-head.ts';
import type { RecalledHead } from './recalled-head.ts';
import { INCOMPLETE } from './request-head.ts';

/** What the heads that a thread knows may take. */
const HEADS_BYTES_MAX = 4 * 2 ** 20;
const HEAD_BYTES = 1_000;
/** What an octet of a head takes: itself, and what it is compared with. */
const OCTET_BYTES = 4;
/** A client that sends so many heads in a row of which none is like one before has another each time. */
const UNLIKE_MAX = 16;

/** The heads that a thread knows. Many connections have the same. */
export class KnownHeads {
  readonly #known = new SecondChanceCache<string, KnownHead>(HEADS_BYTES_MAX);
  /** In which all connections read. */
  readonly memory: DataView;

  /** The octets last seen to be in it: to ask them takes longer than to compare them. */
  #inMemory: Buffer | undefined;

  constructor(memory: DataView) {
    this.memory = memory;
  }

  isInMemory(octets: Buffer): boolean {
    if (octets === this.#inMemory) return true;
    if (octets.buffer !== this.memory.buffer) return false;
    this.#inMemory = octets;
    return true;
  }

  /** A head that was parsed. Found by its hash: it may have a credential. */
  of(head: RecalledHead): KnownHead {
    const text = head.ofAnyLength;
    let known = this.#known.get(text);
    if (known === undefined) {
      known = head.toKnown();
      this.#known.set(text, known, HEAD_BYTES + OCTET_BYTES * known.length);
    }
    return known;
  }
}

/** Reads the heads of one connection. The last two that differ are known when they come again. */
export class HeadReader {
  readonly #heads: KnownHeads;
  #last: KnownHead | undefined = undefined;
  #other: KnownHead | undefined = undefined;
  /** Heads in a row that were parsed. */
  #unlike = 0;

  constructor(heads: KnownHeads) {
    this.#heads = heads;
  }

  /** Whether it no longer looks whether a head is known. */
  get parsesAll(): boolean {
    return this.#unlike >= UNLIKE_MAX;
  }

  /** @returns where the head ends, `INCOMPLETE`, or a status that refuses it, negative */
  read(head: RecalledHead, octets: Buffer, from: number, until: number): number {
    if (this.parsesAll) return head.parse(octets, from, until);
    const recalled = this.#last === undefined ? INCOMPLETE : this.#recall(head, octets, from, until);
    if (recalled > 0) return recalled;
    const end = head.parse(octets, from, until);
    if (end > 0) this.#met(head);
    return end;
  }

  #recall(head: RecalledHead, octets: Buffer, from: number, until: number): number {
    const { memory } = this.#heads;
    const last = this.#last as KnownHead;
    const other = this.#other;
    // what had to wait for its end stands elsewhere
    if (!this.#heads.isInMemory(octets)) return INCOMPLETE;
    let end = head.recall(last, octets, from, until, memory);
    if (end === INCOMPLETE && other !== undefined) {
      end = head.recall(other, octets, from, until, memory);
      if (end > 0) {
        this.#last = other;
        this.#other = last;
      }
    }
    if (end > 0) this.#unlike = 0;
    return end;
  }

  /** The first one is not remembered: many connections have no other. */
  #met(head: RecalledHead): void {
    if (++this.#unlike === 1 && this.#last === undefined) return;
    if (this.#unlike >= UNLIKE_MAX) this.#last = this.#other = undefined;
    else if (head.isUsual) {
      this.#other = this.#last;
      this.#last = this.#heads.of(head);
    }
  }
}
