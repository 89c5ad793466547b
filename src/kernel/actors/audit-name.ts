/** Who can have done something, as answers say (specification, Audit log entry), and SCIM tokens, which do it for nobody. */
export const actorTypes = ['user', 'agent', 'admin', 'scim_token'] as const;
export type ActorType = (typeof actorTypes)[number];

/** Those whose data can be erased from the audit log. */
export const erasableTypes = ['user', 'agent', 'admin'] as const satisfies readonly ActorType[];

/** How the audit log names who acts: one name for one actor, in every entry. */
export interface AuditName {
  readonly type: ActorType;
  readonly id: string;
}

/** A kind of subject, as what it does is put on record. */
export interface AuditedKind {
  /** The type of its subjects: `user` of `user:U`. */
  readonly type: string;
  /** Of the records that are kept of them. */
  readonly collection: string;
  /** The log names one by its id alone where this is its own type, and otherwise by its whole subject. */
  readonly auditedAs: ActorType;
  /** Entries of earlier versions name one by its id alone, as an actor of this type. If omitted, there are none. */
  readonly formerlyAuditedAs?: ActorType;
}

export function auditName({ type, auditedAs }: AuditedKind, id: string): AuditName {
  return { id: auditedAs === type ? id : `${type}:${id}`, type: auditedAs };
}
