import type { SchemaDescription } from './attribute.ts';

/** A type of resources (RFC 7643, 6). */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly description: string;
  readonly schema: SchemaDescription;
  /** None of them is required. */
  readonly extensions: readonly SchemaDescription[];
  /** URNs that clients name in `schemas` beside those, and that mean nothing here. */
  readonly toleratedSchemas: readonly string[];
}
