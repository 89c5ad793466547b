import { isSame, isText, textOf } from './octets.ts';

/** Most fields of a head. */
export const FIELDS_MAX = 100;
const nothing = Buffer.alloc(0);
/** Not compared with the last one where it may be a secret: the time of that would tell how much of it was right. */
const USUAL = 'content-type';
/** The content type that was last asked for: nearly all requests have the same, and to compare it costs less than to make it. */
let usual = '';

/** The octets of a head, and where its fields stand in them. A field becomes text when it is asked for. */
export class HeadOctets {
  protected octets: Buffer = nothing;
  /** The head is there, and ends there. */
  protected from = 0;
  protected to = 0;
  /** The path ends where the query begins, if there is one. */
  protected targetFrom = 0;
  protected pathTo = 0;
  protected targetTo = 0;
  /** Name from, name to, value from, value to: of each field. */
  protected readonly offsets: Int32Array;
  protected fields = 0;

  constructor(offsets: Int32Array = new Int32Array(4 * FIELDS_MAX)) {
    this.offsets = offsets;
  }

  /** Where the body begins. */
  get end(): number {
    return this.to;
  }

  get path(): string {
    return this.text(this.targetFrom, this.pathTo);
  }

  /** Without `?`. */
  get query(): string {
    return this.pathTo === this.targetTo ? '' : this.text(this.pathTo + 1, this.targetTo);
  }

  /** @param name in lower case. Repeated ones are joined: `; ` for cookies, and `, `. `''` where absent */
  header(name: string): string {
    const offsets = this.offsets;
    let found: string | undefined;
    for (let i = 0; i < this.fields * 4; i += 4) {
      const nameFrom = offsets[i] as number;
      if ((offsets[i + 1] as number) - nameFrom !== name.length || !isText(this.octets, nameFrom, name)) continue;
      const value = this.#value(name, offsets[i + 2] as number, offsets[i + 3] as number);
      found = found === undefined ? value : `${found}${name === 'cookie' ? '; ' : ', '}${value}`;
    }
    return found ?? '';
  }

  #value(name: string, from: number, to: number): string {
    if (name !== USUAL) return this.text(from, to);
    if (to - from !== usual.length || !isSame(this.octets, from, usual)) usual = this.text(from, to);
    return usual;
  }

  /** Copies the octets: where they came to is used again for what comes next. */
  keep(): void {
    const { from, to } = this;
    const own = Buffer.allocUnsafeSlow(to - from);
    this.octets.copy(own, 0, from, to);
    this.octets = own;
    for (let i = 0; i < this.fields * 4; i++) this.offsets[i] = (this.offsets[i] as number) - from;
    this.targetFrom -= from;
    this.pathTo -= from;
    this.targetTo -= from;
    this.from = 0;
    this.to = own.length;
  }

  /** Lets go of the octets. */
  clear(): void {
    this.octets = nothing;
    this.fields = 0;
  }

  protected text(from: number, to: number): string {
    return textOf(this.octets, from, to);
  }
}
