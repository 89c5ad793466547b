/**
 * Of fields that a record can be without: each as it was where nothing is said of it, and none where null is said. What a
 * record is without is left out.
 */
export function changedOptional<Document extends object, Name extends keyof Document & string>(
  before: Document,
  said: { readonly [Field in Name]?: Document[Field] | null | undefined },
  names: readonly Name[],
): Partial<Pick<Document, Name>> {
  const kept: Partial<Pick<Document, Name>> = {};
  for (const name of names) {
    const value = said[name] === undefined ? before[name] : said[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}
