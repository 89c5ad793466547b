/** What a search finds among the entries of the index, the best first. */
export function search<Entry extends { url: string; title: string; names: string; path: string; fields: string }>(
  index: readonly Entry[],
  text: string,
): Entry[];
