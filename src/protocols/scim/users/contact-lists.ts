/** One of several addresses or numbers of a person: `{value, type, primary}`. */
export type Contact = Readonly<Record<string, unknown>>;

/** The one that counts: the primary, else the first. */
export function chosenOf(contacts: readonly Contact[]): Contact | undefined {
  return contacts.find(({ primary }) => primary === true) ?? contacts[0];
}

/**
 * Contacts as they were sent, brought up to date with the one value that the user's record has: whoever administers may
 * have changed that since. @param current `undefined` where the record has none any more
 */
export function withChosen(
  contacts: readonly Contact[],
  current: string | undefined,
  read: (value: unknown) => string | undefined,
): readonly Contact[] {
  const chosen = chosenOf(contacts);
  if (chosen === undefined) return current === undefined ? [] : [{ value: current, primary: true }];
  if (read(chosen.value) === current) return contacts;
  if (current === undefined) return contacts.filter((each) => each !== chosen);
  return contacts.map((each) => (each === chosen ? { ...each, value: current } : each));
}

export function contactsOf(value: unknown): readonly Contact[] {
  return Array.isArray(value) ? (value as Contact[]) : []; // each was read by the attribute's schema
}
