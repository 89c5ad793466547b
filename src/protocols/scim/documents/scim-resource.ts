/** A resource as plain JSON: attributes by their canonical names, those of an extension under its URN. */
export type ScimResource = Readonly<Record<string, unknown>>;

/** Without what is not there: RFC 7643, 2.5 takes null and an empty list for no value. */
export function present(attributes: Readonly<Record<string, unknown>>): ScimResource {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => isPresent(value)));
}

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

const ID_MAX = 256;

/** Whether a text that a client has sent can be an id at all. */
export function isId(text: string): boolean {
  return text !== '' && Buffer.byteLength(text) <= ID_MAX && !/[\s#*\p{Cc}\p{Cs}]/u.test(text);
}
