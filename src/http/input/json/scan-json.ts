const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const lowerU = 0x75;

/** One result is used again: this runs for every request, and its caller reads it at once. */
const result = {
  tooDeep: false,
  /** How many names of members the text has: colons outside of strings. */
  names: 0,
  /** Whether every byte is ASCII: such text is valid UTF-8 and is read faster. */
  ascii: true,
  /** Whether a string has a `\u` escape: the only way to half a surrogate pair in valid UTF-8. */
  escapes: false,
};

/** All bytes seen, or-ed: its top bit says whether one was not ASCII. */
let seen = 0;

/**
 * One pass over JSON text before it is parsed, in time linear to its length. It does not check the grammar: the parser
 * does, and where the text is not JSON, what was counted here means nothing and is not used.
 */
export function scanJson(text: Uint8Array, depthMax: number): Readonly<typeof result> {
  result.tooDeep = result.escapes = false;
  seen = 0;
  let names = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number;
    seen |= byte;
    if (byte === quote) {
      i = skipString(text, i + 1);
    } else if (byte === colon) {
      names++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > depthMax) {
        result.tooDeep = true;
        break;
      }
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    }
  }
  result.names = names;
  result.ascii = seen < 0x80;
  return result;
}

/** Index of the closing quote, or the end of the text. */
function skipString(text: Uint8Array, start: number): number {
  let bits = 0;
  let i = start;
  for (; i < text.length; i++) {
    const byte = text[i] as number;
    if (byte === quote) break;
    bits |= byte;
    if (byte === backslash) {
      const escaped = text[++i] ?? 0;
      bits |= escaped;
      if (escaped === lowerU) result.escapes = true;
    }
  }
  seen |= bits;
  return i;
}
