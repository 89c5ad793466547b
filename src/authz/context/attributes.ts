import type { Context, Store } from '#engine';
import { getUser, userAttributes } from '../../directory/index.ts';

/** Parameters of conditions that are maps of attributes, which a question tells by itself. */
export const attributeNames = ['subject', 'resource'] as const;

export type AttributeName = (typeof attributeNames)[number];

type Attributes = Readonly<Record<string, unknown>>;

export interface AskedResource {
  readonly type: string;
  readonly id: string;
  readonly attributes?: Attributes | undefined;
}

/**
 * What is known of a subject, over what is supplied: nobody is somebody else, or works somewhere else, by saying so.
 * To be called inside `Engine.read`.
 */
export function subjectAttributes(store: Store, subject: string, supplied: Attributes | undefined): Attributes {
  const colon = subject.indexOf(':');
  const type = subject.slice(0, colon);
  const id = subject.slice(colon + 1);
  const user = type === 'user' ? getUser(store, id) : undefined;
  return { ...supplied, ...(user === undefined ? {} : userAttributes(user.document)), type, id };
}

export function resourceAttributes(resource: AskedResource | undefined): Attributes {
  return resource === undefined ? {} : { ...resource.attributes, type: resource.type, id: resource.id };
}

/**
 * A question's context with the attributes that the model's conditions name. The record of the subject is read when a
 * condition first asks for it, because most decisions ask for none. What the question does not tell (a resource where
 * none is asked about, an environment that nobody supplied) stays missing, and is named as such.
 */
export function withAttributes(
  store: Store,
  names: ReadonlySet<AttributeName>,
  context: Context,
  question: { readonly subject: string; readonly resource?: AskedResource | undefined },
): Context {
  if (names.size === 0) return context;
  const { subject, resource } = question;
  const full: Record<string, unknown> = { ...context };
  if (names.has('resource') && resource !== undefined) {
    full.resource = { ...membersOf(context.resource), type: resource.type, id: resource.id };
  }
  if (names.has('subject')) {
    let attributes: Attributes | undefined;
    Object.defineProperty(full, 'subject', {
      enumerable: true,
      get: () => {
        attributes ??= subjectAttributes(store, subject, membersOf(context.subject));
        return attributes;
      },
    });
  }
  return full;
}

function membersOf(value: unknown): Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Attributes) : {};
}
