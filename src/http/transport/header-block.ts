/** Headers that never change. Made once, where the code that answers with them is loaded. */
export class FixedHeaders {
  /** Name, value, name, value. */
  readonly pairs: readonly string[];

  /** @throws RangeError where a name or value cannot stand in a header */
  constructor(headers: Readonly<Record<string, string>>) {
    this.pairs = headerPairs(headers);
  }
}

/**
 * Response headers that are the same for every answer of a kind, prepared once. `x-request-id` is always the last of
 * them; its value is the one thing that each answer adds.
 */
export class HeaderBlock {
  /** Name, value, name, value. */
  readonly pairs: readonly string[];
  /** For uWebSockets.js: the first name, and everything after it up to the value of `x-request-id`. */
  readonly firstName: string;
  readonly rest: string;
  readonly #text: string;
  readonly #longer = new Map<FixedHeaders, HeaderBlock>();

  constructor(pairs: readonly string[]) {
    const lines: string[] = [];
    for (let i = 0; i < pairs.length; i += 2) lines.push(`${pairs[i]}: ${pairs[i + 1]}`);
    lines.push('x-request-id: ');
    const text = lines.join('\r\n');
    const colon = text.indexOf(': ');
    this.pairs = pairs;
    this.firstName = text.slice(0, colon);
    this.rest = text.slice(colon + 2);
    this.#text = text;
  }

  /** All lines, up to the value of `x-request-id`. */
  get text(): string {
    return this.#text;
  }

  /** The block with these as well: as few as there are pairs of both in the code, so each is made once and kept. */
  with(headers: FixedHeaders): HeaderBlock {
    let block = this.#longer.get(headers);
    if (block === undefined) {
      block = new HeaderBlock([...this.pairs, ...headers.pairs]);
      this.#longer.set(headers, block);
    }
    return block;
  }
}

/**
 * Prepares a header block.
 *
 * uWebSockets.js writes `name: value\r\n` without looking at the value, and each call into it costs about as much as
 * routing a request. So the whole block goes in as the value of its first header, line breaks included: six calls
 * become one. The cost is that nothing below checks these values, which is why they are checked here.
 * @throws RangeError where a name or value could break out of its line
 */
export function headerBlock(headers: Readonly<Record<string, string>>): HeaderBlock {
  return new HeaderBlock(headerPairs(headers));
}

/** Name, value, name, value. @throws RangeError where a name or value cannot stand in a header */
export function headerPairs(headers: Readonly<Record<string, string>>): readonly string[] {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    assertHeader(name, value);
    pairs.push(name.toLowerCase(), value);
  }
  return pairs;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e]*$/;

/** RFC 9110, 5.5: no control characters; and nothing beyond ASCII, which readers decode differently. */
export function assertHeader(name: string, value: string): void {
  if (!token.test(name) || !fieldValue.test(value))
    throw new RangeError(`the header ${JSON.stringify(name)} cannot be sent`);
}
