import { z } from 'zod';
import type { Change, Precondition, Store } from '#engine';
import { defineRecord } from '../../../kernel/records/index.ts';
import type { SealBinding } from '../../../platform/index.ts';
import { type Field, fields } from './fields.ts';

type Fields = typeof fields;
export type Group = keyof Fields;
export type FieldOf<G extends Group> = keyof Fields[G] & string;

/** All settings of an organization, each with a value. Secrets are there as they are stored: sealed. */
export type Settings = {
  readonly [G in Group]: { readonly [F in FieldOf<G>]: Fields[G][F] extends Field<infer T> ? T : never };
};

/** Only what differs from its initial value is stored. */
type StoredSettings = { readonly [G in Group]?: Partial<Settings[G]> };

/** When a second factor became required, in milliseconds. */
const requiredSince = z.strictObject({ at: z.number() });

export interface SettingsEntry {
  readonly settings: Settings;
  /** Of the record; 0 before the first write. */
  readonly version: number;
}

export const groups = Object.keys(fields) as Group[];

/** What earlier versions have stored: it is read, means nothing, and goes with the next write. */
const retired: Readonly<Partial<Record<Group, readonly string[]>>> = { scim: ['bearerToken'] };

/**
 * The settings of an organization: one record with that id, and one that says since when a second factor is required.
 * A stored value may be older than the bounds of its field.
 */
export const settingsRecords = defineRecord<StoredSettings | z.output<typeof requiredSince>>({
  collection: 'settings',
  holds: 'the settings of an organization, and since when it requires a second factor',
  schema: z.union([requiredSince, storedSettings()]),
});

export const settingsId = 'settings';

// built from the table that the type is built from
function storedSettings(): z.ZodType<StoredSettings> {
  const all = groups.map((group) => {
    const values = Object.entries<Field<unknown>>(fields[group]).map(
      ([name, { initial, stored }]): [string, z.ZodType] => [name, stored ?? like(initial)],
    );
    const former = retired[group]?.map((name): [string, z.ZodType] => [name, z.unknown()]) ?? [];
    return [
      group,
      z
        .strictObject(Object.fromEntries([...values, ...former]))
        .partial()
        .exactOptional(),
    ];
  });
  return z.strictObject(Object.fromEntries(all)) as unknown as z.ZodType<StoredSettings>;
}

/** What is null until it is set is a text. */
function like(initial: unknown): z.ZodType {
  if (initial === null) return z.string().nullable();
  if (Array.isArray(initial)) return z.array(z.string());
  return { boolean: z.boolean(), number: z.number() }[typeof initial as string] ?? z.string();
}

export function fieldAt(group: Group, name: string): Field<unknown> {
  const own: Readonly<Record<string, Field<unknown>>> = fields[group];
  const found = Object.hasOwn(own, name) ? own[name] : undefined;
  if (found === undefined) throw new RangeError(`there is no setting ${group}.${name}`);
  return found;
}

/** What an organization has before it sets anything. */
export const initialSettings: Settings = initial();

/** The settings of an organization in the snapshot of the surrounding `Engine.read`. */
export function readSettings(store: Store): Settings {
  return settingsEntry(store).settings;
}

export function settingsEntry(store: Store): SettingsEntry {
  const entry = settingsRecords.get(store, settingsId);
  return entry === undefined || isTime(entry.document)
    ? { settings: initialSettings, version: 0 }
    : { settings: filled(entry.document), version: entry.version };
}

export function putSettings(at: Pick<Store, 'name'>, settings: Settings): Change {
  return settingsRecords.put(at, settingsId, changed(settings));
}

/** That nobody has written the settings since they were read. */
export function sameSettings(at: Pick<Store, 'name'>, { version }: SettingsEntry): Precondition {
  return settingsRecords.asRead(at, settingsId, version === 0 ? undefined : { id: settingsId, version });
}

const requiredSinceId = 'mfa-required-since';

/** When a second factor became required, in milliseconds since the epoch; `undefined` while it is not. */
export function mfaRequiredSince(store: Store): number | undefined {
  const document = settingsRecords.get(store, requiredSinceId)?.document;
  return document !== undefined && isTime(document) ? document.at : undefined;
}

/** What keeps that time true when settings change. */
export function requiredSinceChanges(store: Store, before: Settings, after: Settings, now: number): Change[] {
  if (before.mfa.required === after.mfa.required) return [];
  return after.mfa.required
    ? [settingsRecords.put(store, requiredSinceId, { at: now })]
    : [settingsRecords.delete(store, requiredSinceId)];
}

function isTime(document: StoredSettings | z.output<typeof requiredSince>): document is z.output<typeof requiredSince> {
  return 'at' in document;
}

function initial(): Settings {
  const all = groups.map((group) => {
    const values = Object.entries<Field<unknown>>(fields[group]).map(([name, field]) => [name, field.initial]);
    return [group, Object.freeze(Object.fromEntries(values))];
  });
  // built from the table that the type is built from
  return Object.freeze(Object.fromEntries(all)) as Settings;
}

/** A record that is read again and again is one object as long as nobody writes it. */
const filledBefore = new WeakMap<StoredSettings, Settings>();

/** On the way of every session and token: what all who read share is frozen, and a group that nobody set not copied. */
function filled(stored: StoredSettings): Settings {
  const before = filledBefore.get(stored);
  if (before !== undefined) return before;
  const all: Record<Group, object> = { ...initialSettings };
  for (const group of groups) {
    const own = stored[group];
    if (own !== undefined) all[group] = Object.freeze({ ...initialSettings[group], ...current(group, own) });
  }
  const settings = Object.freeze(all) as Settings; // each group as it was, with values that passed its schema
  filledBefore.set(stored, settings);
  return settings;
}

function current(group: Group, own: object): object {
  const former = retired[group];
  if (former === undefined) return own;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !former.includes(name)));
}

function changed(settings: Settings): StoredSettings {
  const stored = groups.map((group) => {
    const values = Object.entries(settings[group]).filter(([name, value]) => !isInitial(group, name, value));
    return [group, Object.fromEntries(values)] as const;
  });
  return Object.fromEntries(stored.filter(([, values]) => Object.keys(values).length > 0)) as StoredSettings;
}

function isInitial(group: Group, name: string, value: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(fieldAt(group, name).initial);
}

/** Where a secret setting belongs: sealed for one organization, it opens in no other, and for no other field. */
export function secretBinding(organizationId: string, group: Group, name: string): SealBinding {
  return { organization: organizationId, record: settingsId, field: `${group}.${name}` };
}

/** Whether identity assertions of an issuer count in the organization now. To be called inside `Engine.read`. */
export function isBelieved(store: Store, issuer: string): boolean {
  const { identityAssertions, assertionIssuers } = readSettings(store).oauth;
  return identityAssertions && assertionIssuers.some((each) => each.issuer === issuer);
}
