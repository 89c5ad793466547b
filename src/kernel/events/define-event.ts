import { z } from 'zod';
import type { Catalog, NameIn, OwnName, Told } from './catalogs.ts';

declare const made: unique symbol;

/** Something that happened, on its way into the commit that caused it. Only its type makes one, so that its data fit. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
  readonly [made]: true;
}

/** An event's name and data in a catalog. Undefined where the catalog does not have it. */
export interface Form<Data, Name extends string> {
  readonly name: Name;
  /** The event's own where omitted. */
  readonly data?: (data: Data) => object | undefined;
  /** What the data look like there; as the event's own where omitted. */
  readonly schema?: z.ZodType;
}

interface EventDescription<Data> {
  /** The service's own name of it: `user.login`. */
  readonly type: string;
  /** What its data look like. */
  readonly data: z.ZodType<Data>;
  readonly example: NoInfer<Data>;
  /** The resources that it is about, as subscriptions name them: `user:<id>`, `role:<slug>`. */
  readonly about: (data: NoInfer<Data>) => readonly ResourceName[];
  /** Its forms in the catalogs of the specification that have it. */
  readonly becomes: { readonly [Of in Catalog]?: Form<NoInfer<Data>, NameIn<Of>> };
}

/** A type of events. */
export class EventType<Data extends object> {
  readonly type: string;
  readonly data: z.ZodType<Data>;
  readonly example: Data;
  readonly #about: EventDescription<Data>['about'];
  readonly #becomes: EventDescription<Data>['becomes'];

  constructor({ type, data, example, about, becomes }: EventDescription<Data>) {
    this.type = type;
    this.data = data;
    this.example = example;
    this.#about = about;
    this.#becomes = becomes;
  }

  of(data: Data): DomainEvent {
    // the mark exists for the compiler alone
    return { type: this.type, data } as unknown as DomainEvent;
  }

  /** The resources that an event of this type is about. */
  about(data: object): readonly ResourceName[] {
    return this.#about(data as Data); // as its type made it
  }

  /** Its name in a catalog, where the catalog has it. */
  nameIn(catalog: Catalog): string | undefined {
    return this.#becomes[catalog]?.name;
  }

  /** What its data look like in a catalog, where the catalog has it. */
  schemaIn(catalog: Catalog): z.ZodType | undefined {
    const form = this.#becomes[catalog];
    return form && (form.schema ?? this.data);
  }

  /** What an event of this type says in a catalog; undefined where it is none there. */
  toldIn(catalog: Catalog, data: object): Told | undefined {
    const form = this.#becomes[catalog];
    const told = form?.data === undefined ? data : form.data(data as Data); // as its type made it
    return form === undefined || told === undefined ? undefined : { name: form.name, data: told };
  }
}

export function defineEvent<Data extends object>(description: EventDescription<Data>): EventType<Data> {
  return new EventType(description);
}

/** The form of an event that the specification does not have: the same in each catalog, by the service's own name. */
export function inEveryCatalog<Name extends OwnName>(name: Name) {
  return { a: { name }, b: { name }, c: { name } };
}

/** The form of an event whose fields only differ in name: in snake case, and `ip` is `ip_address`. */
export function inSnakeCase<Name extends string, Schema extends z.ZodObject>(
  name: Name,
  { shape }: Schema,
): Form<z.output<Schema>, Name> {
  const names = Object.keys(shape).map((own) => [own, own === 'ip' ? 'ip_address' : snakeCase(own)] as const);
  return {
    name,
    schema: z.strictObject(Object.fromEntries(names.map(([own, there]) => [there, shape[own]]))),
    data: (data: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(names.map(([own, there]) => [there, data[own]])),
  };
}

/** `userId` is `user_id`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What the events of a type say. */
export type DataOf<Type> = Type extends EventType<infer Data> ? Data : never;

/** A type of events, whatever they say. */
export type AnyEventType = Pick<
  EventType<object>,
  'type' | 'data' | 'example' | 'about' | 'nameIn' | 'schemaIn' | 'toldIn'
>;

/** A resource that an event is about: its type, and its id, slug or name as the engine has it. */
export type ResourceName = `${string}:${string}`;

/** In the form of `user:<id>`, in the order in which they are given; what is null or absent is left out. */
export function resourceNames(named: Readonly<Record<string, string | null | undefined>>): ResourceName[] {
  return Object.entries(named).flatMap(([type, id]) =>
    id === undefined || id === null ? [] : [`${type}:${id}` as const],
  );
}
