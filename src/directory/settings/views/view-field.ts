import { z } from 'zod';
import { line } from '../text/formats.ts';
import { type FieldOf, fieldAt, type Group, type Settings } from '../truth/settings.ts';

/** Everything that views show: the settings, and of the organization's record what belongs to them. */
export interface Truth {
  readonly settings: Settings;
  readonly profile: Profile;
  /** The newest SCIM token that has not expired, masked; absent where there is none. */
  readonly scimToken?: string | undefined;
}

export interface Profile {
  readonly name: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What views tell and nobody writes. */
export interface Surroundings {
  /** `{base_url}/orgs/{slug}` */
  readonly orgUrl: string;
}

/** What a field of a view shows and writes. */
export type ViewField =
  /** A setting. With `emptyText`, what is not set reads as `''`, and writing `''` unsets it. */
  | { readonly kind: 'setting'; readonly group: Group; readonly name: string; readonly emptyText: boolean }
  /** A setting that is written and never read. Left out, it stays, as nobody can send back what they cannot read. */
  | { readonly kind: 'secret'; readonly group: Group; readonly name: string }
  /** Whether a secret is there. */
  | { readonly kind: 'has_secret'; readonly group: Group; readonly name: string }
  /** The organization's name. It has no initial value: left out, it stays. */
  | { readonly kind: 'name' }
  /** Refused (422) where somebody sets it: nothing does what it promises. */
  | { readonly kind: 'impossible'; readonly reason: string }
  | { readonly kind: 'told'; tell(surroundings: Surroundings, truth: Truth): unknown; readonly schema: z.ZodType };

export function setting<G extends Group>(group: G, name: FieldOf<G>): ViewField {
  return { kind: 'setting', group, name, emptyText: false };
}

/** A text that reads as `''` where it is not set. */
export function text<G extends Group>(group: G, name: FieldOf<G>): ViewField {
  return { kind: 'setting', group, name, emptyText: true };
}

export function secret<G extends Group>(group: G, name: FieldOf<G>): ViewField {
  return { kind: 'secret', group, name };
}

export function hasSecret<G extends Group>(group: G, name: FieldOf<G>): ViewField {
  return { kind: 'has_secret', group, name };
}

export const organizationName: ViewField = { kind: 'name' };

export function impossible(reason: string): ViewField {
  return { kind: 'impossible', reason };
}

export function told(schema: z.ZodType, tell: (surroundings: Surroundings, truth: Truth) => unknown): ViewField {
  return { kind: 'told', schema, tell };
}

/** What a body may have there. */
export function writtenSchema(field: ViewField): z.ZodType {
  switch (field.kind) {
    case 'setting':
      return field.emptyText ? z.union([z.literal(''), schemaOf(field)]) : schemaOf(field);
    case 'secret':
      return schemaOf(field).describe('Write only. Left out, what is stored stays; null removes it');
    case 'name':
      return line;
    case 'impossible':
      return z.boolean();
    default:
      return z.unknown().describe('Read only: accepted and ignored');
  }
}

/** What an answer has there; `undefined` where it has nothing. */
export function shownSchema(field: ViewField): z.ZodType | undefined {
  switch (field.kind) {
    case 'setting':
      return field.emptyText ? z.string() : schemaOf(field);
    case 'secret':
      return undefined;
    case 'name':
      return z.string();
    case 'told':
      return field.schema;
    default:
      return z.boolean();
  }
}

export function readField(field: ViewField, truth: Truth, surroundings: Surroundings): unknown {
  const { settings, profile } = truth;
  switch (field.kind) {
    case 'setting': {
      const value = settingOf(settings, field);
      return field.emptyText ? (value ?? '') : value;
    }
    case 'has_secret':
      return settingOf(settings, field) !== null;
    case 'name':
      return profile.name;
    case 'told':
      return field.tell(surroundings, truth);
    default:
      return false;
  }
}

function schemaOf({ group, name }: { readonly group: Group; readonly name: string }): z.ZodType {
  return fieldAt(group, name).schema;
}

export function settingOf(
  settings: Settings,
  { group, name }: { readonly group: Group; readonly name: string },
): unknown {
  return (settings[group] as Readonly<Record<string, unknown>>)[name];
}

/** @param baseUrl of the service, from its configuration and never from a request */
export function surroundingsOf(baseUrl: string, slug: string): Surroundings {
  return { orgUrl: `${baseUrl}/orgs/${slug}` };
}
