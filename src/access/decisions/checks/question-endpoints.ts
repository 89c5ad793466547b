import { z } from 'zod';
import { type Endpoint, endpointFor, type ProblemKind, type Reply } from '../../../http/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { BulkAnswer } from './bulk.ts';
import { type BulkBody, bulkBody } from './bulk-body.ts';
import { type DecisionAnswer, type decisionSchema, type permissionDecisionSchema, revision } from './decision-reply.ts';
import type { itemResultSchema, permissionResultSchema } from './item-error.ts';

const endpoint = endpointFor<Caller>();

/** What evaluation itself can answer, at every endpoint that decides. */
export const decisionErrors = [
  'invalid_argument',
  'invalid_tuple',
  'invalid_contextual_tuple',
  'invalid_context',
  'invalid_token',
  'unknown_type',
  'unknown_relation',
  'unknown_condition',
  'log_replaced',
  'revision_ahead',
  'too_large',
  'too_deep',
  'too_wide',
  'timeout',
  'condition_failed',
  'condition_too_costly',
] as const;

/** One question, and many of its kind: how they read and who answers them. */
export interface QuestionKind<Body> {
  /** Of the single question; that of many has `-bulk` behind it. */
  readonly path: `/${string}`;
  readonly tags: readonly string[];
  /** Beside those of all decisions. */
  readonly errors?: readonly ProblemKind[];
  readonly one: {
    readonly summary: string;
    readonly description?: string;
    readonly body: z.ZodType<Body>;
    readonly decision: typeof decisionSchema | typeof permissionDecisionSchema;
    readonly fast: (value: unknown) => Body | undefined;
    readonly scan: (text: string) => Body | undefined;
    answer(caller: Caller, body: Body): Reply<DecisionAnswer>;
  };
  readonly many: {
    readonly summary: string;
    readonly max: number;
    /** What an item is, for the reference. */
    readonly item: string;
    readonly result: typeof itemResultSchema | typeof permissionResultSchema;
    readonly scan: (text: string) => BulkBody | undefined;
    answer(caller: Caller, body: BulkBody): Reply<BulkAnswer>;
  };
}

/** The two endpoints of a kind of question. */
export function questionEndpoints<Body>({ path, tags, errors = [], one, many }: QuestionKind<Body>): Endpoint[] {
  const usual = { method: 'POST', tags, access: 'authenticated', errors: [...decisionErrors, ...errors] } as const;
  const { summary, body, fast, scan } = one;
  return [
    endpoint({
      ...usual,
      path,
      summary,
      ...(one.description === undefined ? {} : { description: one.description }),
      body,
      fast,
      scan,
      responses: { 200: one.decision as typeof permissionDecisionSchema },
      handler: (call) => one.answer(call.caller, call.body),
    }),
    endpoint({
      ...usual,
      path: `${path}-bulk`,
      summary: many.summary,
      description: 'One result for each check, in order. One that is not valid says so in its place.',
      body: bulkBody(many.max, many.item),
      scan: many.scan,
      responses: {
        200: z.strictObject({ results: z.array(many.result as typeof permissionResultSchema), revision }),
      },
      handler: (call) => many.answer(call.caller, call.body),
    }),
  ];
}
