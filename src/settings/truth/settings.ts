import type { Change, RecordWrite, Store } from '#engine';
import { type Field, fields } from './fields.ts';

type Fields = typeof fields;
export type Group = keyof Fields;
export type FieldOf<G extends Group> = keyof Fields[G] & string;

/** All settings of an organization, each with a value. Secrets are there as they are stored: sealed. */
export type Settings = {
  readonly [G in Group]: { readonly [F in FieldOf<G>]: Fields[G][F] extends Field<infer T> ? T : never };
};

/** A setting by name, such as `passwordPolicy.minLength`. */
export type SettingName = { [G in Group]: `${G}.${FieldOf<G>}` }[Group];

/** Collection of an organization's store, with one record. */
export const settingsCollection = 'settings';
export const settingsId = 'settings';

/** Only what differs from its initial value is stored. */
export type StoredSettings = { readonly [G in Group]?: Partial<Settings[G]> };

export interface SettingsEntry {
  readonly settings: Settings;
  /** Of the record; 0 before the first write. */
  readonly version: number;
}

export const groups = Object.keys(fields) as Group[];

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
  const entry = store.records.get<StoredSettings>(settingsCollection, settingsId);
  return entry === undefined
    ? { settings: initialSettings, version: 0 }
    : { settings: filled(entry.document), version: entry.version };
}

export function settingsWrite(settings: Settings): RecordWrite {
  return { collection: settingsCollection, id: settingsId, document: changed(settings) };
}

const requiredSinceId = 'mfa-required-since';

/** When a second factor became required, in milliseconds since the epoch; `undefined` while it is not. */
export function mfaRequiredSince(store: Store): number | undefined {
  return store.records.get<{ readonly at: number }>(settingsCollection, requiredSinceId)?.document.at;
}

/** What keeps that time true when settings change. */
export function requiredSinceChanges(store: Store, before: Settings, after: Settings, now: number): Change[] {
  if (before.mfa.required === after.mfa.required) return [];
  const place = { collection: settingsCollection, id: requiredSinceId };
  return after.mfa.required
    ? [{ op: 'put_record', store: store.name, record: { ...place, document: { at: now } } }]
    : [{ op: 'delete_record', store: store.name, ...place }];
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
    if (own !== undefined) all[group] = Object.freeze({ ...initialSettings[group], ...own });
  }
  const settings = Object.freeze(all) as Settings; // each group as it was, with values that passed its schema
  filledBefore.set(stored, settings);
  return settings;
}

function changed(settings: Settings): StoredSettings {
  const parts = groups.map((group) => {
    const values = Object.entries(settings[group]).filter(([name, value]) => !isInitial(group, name, value));
    return [group, Object.fromEntries(values)] as const;
  });
  return Object.fromEntries(parts.filter(([, values]) => Object.keys(values).length > 0)) as StoredSettings;
}

function isInitial(group: Group, name: string, value: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(fieldAt(group, name).initial);
}
