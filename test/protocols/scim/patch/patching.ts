import { expect } from 'vitest';
import type { ScimResource } from '../../../../src/protocols/scim/documents/scim-resource.ts';
import { applyPatch } from '../../../../src/protocols/scim/patch/apply-patch.ts';
import { parsePatch } from '../../../../src/protocols/scim/patch/parse-patch.ts';
import type { ResourceType } from '../../../../src/protocols/scim/schema/resource-type.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { patchUrn } from '../people.ts';

/** An operation as a client sends it. */
export interface Sent {
  readonly op: string;
  readonly path?: unknown;
  readonly value?: unknown;
}

/** The resource after a request with these operations. */
export function patched(
  resource: ScimResource,
  operations: readonly Sent[],
  { type = userType, strict = false }: { readonly type?: ResourceType; readonly strict?: boolean } = {},
): ScimResource {
  const body = { schemas: [patchUrn], Operations: operations };
  return applyPatch(type, resource, parsePatch(type, body, { strict }));
}

/** With other attributes; `undefined` takes one away. */
export function withChanges(resource: ScimResource, changes: Readonly<Record<string, unknown>>): ScimResource {
  return Object.fromEntries(Object.entries({ ...resource, ...changes }).filter(([, value]) => value !== undefined));
}

/** What is thrown for a `scimType`, and with a detail that says so. */
export function refusal(code: string, detail: RegExp = /./) {
  return expect.objectContaining({
    problem: expect.objectContaining({
      kind: expect.objectContaining({ code, status: 400 }),
      detail: expect.stringMatching(detail),
    }),
  });
}
