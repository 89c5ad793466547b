import type { z } from 'zod';
import { type Endpoint, json, noContent, type ProblemCode } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Caller, endpoint, type OrganizationDirectory } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, afterCommit, type Transaction, transact } from '../../../kernel/transactions/index.ts';
import type { OutboundGuard, Sealer } from '../../../platform/index.ts';
import type { SigningKeys } from '../../../protocols/oauth/index.ts';
import { type StreamEntry, streamRecords } from '../records/stream-record.ts';

export interface TransmitterDependencies extends AdminDependencies {
  readonly directory: Pick<OrganizationDirectory, 'find'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly sealer: Sealer;
  readonly outbound: OutboundGuard;
  readonly keys: SigningKeys;
}

export type StreamTransaction = Transaction<TransmitterDependencies>;

/** Below the organization's API. */
export const signalsBase = '/orgs/{orgId}/api/v1/ssf';

export const tags = ['Shared signals'];

interface Changing<Query, Body> {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `signalsBase`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly errors?: readonly ProblemCode[];
  /** What is answered, of the stream as it stands after the commit; in words where that is nothing (204). */
  readonly answer:
    | {
        readonly status: 200 | 201;
        readonly schema: z.ZodType;
        readonly of: (entry: StreamEntry, caller: Caller) => object;
      }
    | string;
  /** Answers the id of the stream. */
  readonly change: (transaction: StreamTransaction, given: { readonly query: Query; readonly body: Body }) => string;
}

/** What a receiver changes of its own streams. */
export function streamChanging<Query = undefined, Body = undefined>(
  dependencies: TransmitterDependencies,
  { path, answer, change, errors = [], ...spec }: Changing<Query, Body>,
): Endpoint {
  return endpoint({
    ...spec,
    path: `${signalsBase}${path}` as string,
    tags,
    access: { scope: 'ssf.manage' },
    responses: typeof answer === 'string' ? { 204: { description: answer } } : { [answer.status]: answer.schema },
    errors: [...errors, 'unavailable'],
    async handler(call) {
      const { caller, query, body } = call;
      const id = await transact(dependencies, caller, factsOf(call), (transaction) =>
        change(transaction, { query, body }),
      );
      if (typeof answer === 'string') return noContent();
      const { store } = caller.organization;
      const shown = afterCommit(dependencies, streamRecords, store, id, (entry) => answer.of(entry, caller));
      return json(answer.status, shown);
    },
  });
}
