import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ListPosition } from '../../../kernel/lists/index.ts';
import { scimError } from '../errors/scim-problems.ts';
import type { ScimListQuery } from './list-parameters.ts';

const SEAL_BYTES = 9;

/** Resources of some kinds, below the address of one organization, and what is asked of them. */
interface AskedList {
  readonly types: readonly string[];
  readonly base: string;
  readonly query: ScimListQuery;
}

const content = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), z.string().max(256)]);

/** Where the next page begins, sealed with the list and what is asked of it: a cursor belongs to one list (RFC 9865, 2). */
export function cursorText(
  list: AskedList,
  { key = null, id }: { readonly key?: ListPosition['key'] | null; readonly id: string },
): string {
  return Buffer.from(JSON.stringify([seal(list), key, id])).toString('base64url');
}

/** @throws ProblemError `invalidCursor` for one that was made for another list, or not here */
export function cursorOf(list: AskedList, text: string): ListPosition {
  const read = content.safeParse(parsed(text));
  if (!read.success || read.data[0] !== seal(list)) {
    throw scimError('invalidCursor', 'cursor: does not belong to this list. Begin again with an empty cursor.');
  }
  const [, key, id] = read.data;
  return { key: key ?? undefined, id };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function seal({ types, base, query: { filter, sortBy, descending } }: AskedList): string {
  const asked = JSON.stringify([base, types, filter ?? null, sortBy ?? null, descending]);
  return createHash('sha256').update(asked).digest().subarray(0, SEAL_BYTES).toString('base64url');
}
