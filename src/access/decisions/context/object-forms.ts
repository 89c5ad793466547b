import { z } from 'zod';

const TYPE_MAX = 254;
const TEXT_MAX = 1024;

const attributes = z.record(z.string().min(1).max(256), z.unknown());
const parts = z.strictObject({ type: z.string().min(1).max(TYPE_MAX), id: z.string().min(1).max(TEXT_MAX) });
const partsWithAttributes = parts.extend({ attributes: attributes.optional() });
const text = z.string().min(1).max(TEXT_MAX);
const described = 'As text `type:id`, or as `{type, id}`';

export type Parts = z.output<typeof partsWithAttributes>;
export type Form = string | Parts;

/** An object in two parts, where nothing else will do. */
export const resourceSchema = parts;

/** The fields that name an object: one is as good as the other. */
export const objectFields = {
  object: z.union([text, parts]).describe(`${described}; the same as \`resource\``).optional(),
  resource: z.union([parts, text]).describe(`${described}; the same as \`object\``).optional(),
};
/** The same of a question that attributes of the object belong to. */
export const attributedObjectFields = {
  ...objectFields,
  resource: z.union([partsWithAttributes, text]).describe(`${described}; the same as \`object\``).optional(),
};

export interface Named {
  readonly object?: Form | undefined;
  readonly resource?: Form | undefined;
}

export type InParts<T extends Named> = Exclude<T['resource'], string | undefined>;

/** A body whose object is read as `resource: {type, id}`. */
export function withResource<T extends Named>(
  body: T,
  issues: z.core.$RefinementCtx,
): Omit<T, keyof Named> & { readonly resource?: InParts<T> | undefined } {
  const { object: _, resource: __, ...rest } = body;
  const resource = namedObject(body, issues);
  return { ...rest, ...(resource === undefined ? {} : { resource }) };
}

/** A body whose object, which it must name, is read as `object: 'type:id'`. */
export function withObject<T extends Named>(body: T, issues: z.core.$RefinementCtx) {
  const { object, resource: _, ...rest } = body;
  // what the engine says of a text that names no object is more exact
  if (typeof object === 'string' && body.resource === undefined) return { ...rest, object };
  const named = namedObject(body, issues);
  if (named !== undefined) return { ...rest, object: `${named.type}:${named.id}` };
  if (object === undefined && body.resource === undefined) refuse(issues, 'object', 'is required');
  return z.NEVER;
}

function namedObject<T extends Named>({ object, resource }: T, issues: z.core.$RefinementCtx): InParts<T> | undefined {
  const [one, other] = [partsOf('object', object, issues), partsOf('resource', resource, issues)];
  if (one !== undefined && other !== undefined && (one.type !== other.type || one.id !== other.id)) {
    refuse(issues, 'resource', 'must be the same as object, where both are given');
  }
  // a form of two parts is always one of the resource, which may have attributes beside
  return (other ?? one) as InParts<T> | undefined;
}

function partsOf(field: string, form: Form | undefined, issues: z.core.$RefinementCtx): Parts | undefined {
  if (typeof form !== 'string') return form;
  const colon = form.indexOf(':');
  if (colon > 0 && colon < form.length - 1) return { type: form.slice(0, colon), id: form.slice(colon + 1) };
  refuse(issues, field, 'must be an object as type:id');
  return undefined;
}

function refuse(issues: z.core.$RefinementCtx, field: string, message: string): void {
  issues.addIssue({ code: 'custom', path: [field], message });
}
