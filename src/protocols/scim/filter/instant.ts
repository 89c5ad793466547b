const dateTime = /^-?\d{4,9}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,12})?(Z|[+-]\d\d:\d\d)?$/;

/** Milliseconds of an xsd:dateTime (RFC 7643, 2.3.5), in UTC where it names no zone. `undefined` where it is none. */
export function instantOf(text: string): number | undefined {
  const found = dateTime.exec(text);
  if (found === null) return undefined;
  const instant = Date.parse(found[1] === undefined ? `${text}Z` : text);
  return Number.isNaN(instant) ? undefined : instant;
}
