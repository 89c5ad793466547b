/** So long a document is used at least, whatever its headers say: each reading costs a request and a commit. */
const MIN_S = 60;
/** A document is used at most so long: then it counts only once it was read anew. */
export const DOCUMENT_MAX_MS = 86_400_000;
const MAX_S = DOCUMENT_MAX_MS / 1000;
/** Where its headers say nothing. */
const USUAL_S = 3600;

export interface CacheHeaders {
  /** As the host wrote them; `''` where absent. */
  readonly cacheControl: string;
  readonly age: string;
}

/** Milliseconds for which a document need not be read again, by its headers (RFC 9111, 4.2) within our bounds. */
export function freshMs({ cacheControl, age }: CacheHeaders): number {
  const said = directives(cacheControl);
  if (said.has('no-store') || said.has('no-cache')) return MIN_S * 1000;
  // one copy serves everybody who comes with the client
  const lifetime = seconds(said.get('s-maxage')) ?? seconds(said.get('max-age')) ?? USUAL_S;
  const left = lifetime - (seconds(age.trim()) ?? 0);
  return Math.min(Math.max(left, MIN_S), MAX_S) * 1000;
}

function directives(text: string): Map<string, string> {
  const parts = text.split(',', 50).map((part) => part.trim().toLowerCase().split('=', 2));
  return new Map(parts.map(([name = '', value = '']) => [name, value.replace(/^"(.*)"$/, '$1')]));
}

function seconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
