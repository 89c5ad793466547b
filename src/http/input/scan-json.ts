export interface JsonScan {
  tooDeep: boolean;
  /** How many names of members the text has: colons outside of strings. */
  names: number;
  /** Whether a string has a `\u` escape: the only way to half a surrogate pair in valid UTF-8. */
  escapes: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const lowerU = 0x75;

/** One result is used again: this runs for every request, and its caller reads it at once. */
const result: JsonScan = { tooDeep: false, names: 0, escapes: false };

/**
 * One pass over JSON text before it is parsed, in time linear to its length. It does not check the grammar: the parser
 * does, and where the text is not JSON, what was counted here means nothing and is not used.
 */
export function scanJson(text: Uint8Array, depthMax: number): JsonScan {
  result.tooDeep = result.escapes = false;
  let names = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number;
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
  return result;
}

/** Index of the closing quote, or the end of the text. */
function skipString(text: Uint8Array, start: number): number {
  let i = start;
  for (; i < text.length; i++) {
    const byte = text[i];
    if (byte === quote) return i;
    if (byte === backslash && text[++i] === lowerU) result.escapes = true;
  }
  return i;
}
