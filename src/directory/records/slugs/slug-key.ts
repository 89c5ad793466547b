/** Under which a slug is unique: two that differ in case alone are one. */
export function slugKey(slug: string): string {
  return slug.toLowerCase();
}
