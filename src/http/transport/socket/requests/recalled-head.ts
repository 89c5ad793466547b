import { chunked } from '../../framing.ts';
import type { HeadNotes } from '../../transport.ts';
import { KNOWN_BYTES_MAX, KnownHead } from './known-head.ts';
import { INCOMPLETE, RequestHead } from './request-head.ts';

/** The head of a request: parsed, or one that was parsed before and has come again. */
export class RecalledHead extends RequestHead {
  #known: KnownHead | undefined = undefined;

  override get path(): string {
    return this.#known === undefined ? super.path : this.#known.path;
  }

  override get query(): string {
    return this.#known === undefined ? super.query : this.#known.query;
  }

  get notes(): HeadNotes | undefined {
    return this.#known?.notes;
  }

  override header(name: string): string {
    const known = this.#known;
    if (known === undefined) return super.header(name);
    return name === 'content-length' ? this.text(this.digitsFrom, this.digitsTo) : known.header(name);
  }

  override parse(octets: Buffer, from: number, until: number): number {
    this.#known = undefined;
    return super.parse(octets, from, until);
  }

  /**
   * What `parse` would find, where the octets are a head that was parsed before.
   * @param memory in which the octets stand
   * @returns where the head ends, or `INCOMPLETE` where it is another one
   */
  recall(known: KnownHead, octets: Buffer, from: number, until: number, memory: DataView): number {
    const end = from + known.length;
    if (end > until || !known.isAt(memory, octets.byteOffset + from)) return INCOMPLETE;
    const length = known.bodyLengthAt(octets, from);
    if (length < 0) return INCOMPLETE;
    this.octets = octets;
    this.from = from;
    this.to = end;
    this.fields = 0;
    this.digitsFrom = from + known.digitsFrom;
    this.digitsTo = from + known.digitsTo;
    this.bodyLength = length;
    this.method = known.method;
    this.isOld = known.isOld;
    this.isLast = known.isLast;
    this.expectsContinue = false;
    this.#known = known;
    return end;
  }

  /** The octets of a head that was parsed as text, the same for all lengths of so many digits. */
  get ofAnyLength(): string {
    const { from, to, digitsFrom, digitsTo } = this;
    return `${this.text(from, digitsFrom)}${'0'.repeat(digitsTo - digitsFrom)}${this.text(digitsTo, to)}`;
  }

  /** Whether a head that was parsed is worth to be known when it comes again. */
  get isUsual(): boolean {
    return this.bodyLength !== chunked && !this.expectsContinue && this.to - this.from <= KNOWN_BYTES_MAX;
  }

  /** A head that was parsed, by itself. */
  toKnown(): KnownHead {
    const { from, to, method, isOld, isLast } = this;
    // not of the pool of Node.js, of which a small piece would keep a whole page
    const octets = Buffer.allocUnsafeSlow(to - from);
    this.octets.copy(octets, 0, from, to);
    const offsets = this.offsets.slice(0, 4 * this.fields).map((offset) => offset - from);
    return new KnownHead(octets, offsets, {
      method,
      isOld,
      isLast,
      targetFrom: this.targetFrom - from,
      pathTo: this.pathTo - from,
      targetTo: this.targetTo - from,
      digitsFrom: this.digitsFrom - from,
      digitsTo: this.digitsTo - from,
    });
  }

  override keep(): void {
    const { from } = this;
    super.keep();
    this.digitsFrom -= from;
    this.digitsTo -= from;
  }

  override clear(): void {
    super.clear();
    this.#known = undefined;
  }
}
