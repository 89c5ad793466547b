/**
 * The same value as JSON has it, and as it comes back from the store: absent members are gone, and lone surrogates,
 * which no UTF-8 can carry, are replaced. Otherwise the digest of what is read would differ from that of what was put.
 */
export function plainData<T>(value: T): T {
  // in JSON a lone surrogate stands as an escape, and a pair as itself
  const text = JSON.stringify(value);
  return JSON.parse(text.includes('\\u') ? withoutLoneSurrogates(text) : text) as T;
}

function withoutLoneSurrogates(json: string): string {
  return json.replace(/\\(\\|ud[89a-f][0-9a-f]{2})/g, (found, code) => (code === '\\' ? found : '\ufffd'));
}
