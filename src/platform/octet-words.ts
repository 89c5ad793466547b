let octets: Uint8Array = new Uint8Array(0);
let words: DataView = new DataView(octets.buffer);

/** Octets to be read several at a time. Most are read where those before them were: the last view is kept. */
export function wordsOf(wanted: Uint8Array): DataView {
  if (wanted !== octets) {
    octets = wanted;
    words = new DataView(wanted.buffer, wanted.byteOffset, wanted.byteLength);
  }
  return words;
}
