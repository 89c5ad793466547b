import type { Context, Store } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import type { Parts } from './object-forms.ts';

type Attributes = Readonly<Record<string, unknown>>;

/**
 * The stored attributes of a subject, over the supplied ones: nobody becomes somebody else by saying so. To be called
 * inside `Engine.read`.
 */
export function subjectAttributes(store: Store, subject: string, supplied: Attributes | undefined): Attributes {
  return { ...supplied, ...actors.attributes(store, subject) };
}

export function resourceAttributes(resource: Parts | undefined): Attributes {
  return resource === undefined ? {} : { ...resource.attributes, type: resource.type, id: resource.id };
}

/**
 * A question's context with the attributes of its subject, and of the resource where one is asked about. What the
 * question does not tell stays missing, and is named as such. To be called inside `Engine.read`.
 */
export function withAttributes(
  store: Store,
  context: Context,
  { subject, resource }: { readonly subject: string; readonly resource?: Parts | undefined },
): Context {
  const full: Record<string, unknown> = { ...context };
  if (isOpen(context.subject)) full.subject = subjectAttributes(store, subject, context.subject);
  if (resource !== undefined && isOpen(context.resource)) {
    full.resource = { ...context.resource, type: resource.type, id: resource.id };
  }
  return full;
}

/** Whether a context supplies attributes that stored ones override. */
export function suppliesAttributes({ subject, resource }: Context): boolean {
  return (subject !== undefined && isOpen(subject)) || (resource !== undefined && isOpen(resource));
}

/** Attributes, or nothing yet. What is of another type belongs to a condition of the organization's own. */
function isOpen(value: unknown): value is Attributes | undefined {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}
