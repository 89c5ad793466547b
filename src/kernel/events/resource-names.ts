/** A resource that an event is about: its type, and its id, slug or name as the engine has it. */
export type ResourceName = `${string}:${string}`;

/** In the form of `user:<id>`, in the order in which they are given; what is null or absent is left out. */
export function resourceNames(named: Readonly<Record<string, string | null | undefined>>): ResourceName[] {
  return Object.entries(named).flatMap(([type, id]) =>
    id === undefined || id === null ? [] : [`${type}:${id}` as const],
  );
}
