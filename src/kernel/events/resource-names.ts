const resourceTypes = ['user', 'agent', 'role', 'group', 'client', 'session', 'token', 'webhook'] as const;

type ResourceType = (typeof resourceTypes)[number];

/** A resource that an event is about: its type, and its id, slug or name as the engine has it. */
export type ResourceName = `${ResourceType}:${string}`;

/** In the form of `user:<id>`; what is null or absent is left out. */
export function resourceNames(
  named: Readonly<Partial<Record<ResourceType, string | null | undefined>>>,
): ResourceName[] {
  return resourceTypes.flatMap((type) => {
    const id = named[type];
    return id === undefined || id === null ? [] : [`${type}:${id}` as const];
  });
}
