import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import {
  type Endpoint,
  endpointFor,
  invalidRequest,
  issueText,
  json,
  ProblemError,
  problemFromError,
} from '../../../http/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { decisionErrors } from '../../decisions/index.ts';
import { decisionPoint, paths } from '../addresses.ts';
import {
  type Evaluated,
  type Evaluation,
  type Evaluations,
  evaluatedSchema,
  evaluationSchema,
  evaluationsSchema,
  type semantics,
} from '../bodies.ts';
import { type AuthZenDependencies, tags } from '../dependencies.ts';
import { bindingToken, deniedDigest } from '../signed/binding-token.ts';
import { type ReadStates, readStates } from './approval.ts';
import { evaluate, type Outcome } from './evaluate.ts';

const endpoint = endpointFor<Caller>();
/** How long a denial can be asked about. */
const DENIAL_MS = 600_000;
/** After so many signatures others get their turn. */
const SIGNED_MAX = 25;

/** The evaluation API of AuthZEN 1.0, in both families. */
export function evaluationEndpoints(dependencies: AuthZenDependencies): Endpoint[] {
  return inBothFamilies((base) => [one(dependencies, base), many(dependencies, base)]);
}

function one(dependencies: AuthZenDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}${paths.evaluation}`,
    summary: 'Evaluate one access (AuthZEN)',
    description:
      'Decides the permission `type:action` on the resource, as `POST /authz/check` does, or the relation that is named ' +
      'like the action. What an agent is denied, and could be lent, says so in `context.access_request`.',
    tags,
    access: 'authenticated',
    body: evaluationSchema,
    responses: { 200: evaluatedSchema },
    errors: decisionErrors,
    async handler({ caller, body }) {
      return json(200, await alone(dependencies, caller, body));
    },
  });
}

function many(dependencies: AuthZenDependencies, base: FamilyBase): Endpoint {
  const { checkBulk } = dependencies.limits;
  return endpoint({
    method: 'POST',
    path: `${base}${paths.evaluations}`,
    summary: 'Evaluate many accesses (AuthZEN)',
    description:
      `At most ${checkBulk}, all in one snapshot. What stands beside \`evaluations\` holds for each that does not say it ` +
      'itself. `options.evaluations_semantic` can end at the first denial or the first permission.',
    tags,
    access: 'authenticated',
    body: evaluationsSchema(checkBulk),
    responses: { 200: z.union([z.strictObject({ evaluations: z.array(evaluatedSchema) }), evaluatedSchema]) },
    errors: decisionErrors,
    async handler({ caller, body }) {
      const { evaluations = [], options, ...shared } = body;
      if (evaluations.length === 0) {
        return json(200, await alone(dependencies, caller, aloneOf(shared)));
      }
      const states = await readStates(dependencies, caller.organization, [shared, ...evaluations]);
      const asked = { evaluations, shared, states };
      const answers: Evaluated[] = [];
      for (const outcome of inTurn(dependencies, caller, asked, options?.evaluations_semantic)) {
        answers.push(await told(dependencies, caller, outcome));
        if (answers.length % SIGNED_MAX === 0) await nextTurn();
      }
      return json(200, { evaluations: answers });
    },
  });
}

async function alone(dependencies: AuthZenDependencies, caller: Caller, asked: Evaluation): Promise<Evaluated> {
  const states = await readStates(dependencies, caller.organization, [asked]);
  const outcome = dependencies.engine.read(() => evaluate(dependencies, caller, asked, states));
  return told(dependencies, caller, outcome);
}

interface Many {
  readonly evaluations: NonNullable<Evaluations['evaluations']>;
  readonly shared: Pick<Evaluations, 'subject' | 'action' | 'resource' | 'context'>;
  readonly states: ReadStates;
}

/** Each in its place; what is wrong with one is said there. */
function inTurn(
  dependencies: AuthZenDependencies,
  caller: Caller,
  { evaluations, shared, states }: Many,
  semantic: (typeof semantics)[number] = 'execute_all',
): Outcome[] {
  const done: Outcome[] = [];
  dependencies.engine.read(() => {
    for (const each of evaluations) {
      const read = evaluationSchema.safeParse({ ...shared, ...each }, { error: issueText });
      const outcome = read.success
        ? attempt(() => evaluate(dependencies, caller, read.data, states))
        : failure(400, missingOf(read.error));
      done.push(outcome);
      const { decision } = outcome.evaluated;
      if (semantic === 'deny_on_first_deny' && !decision) return;
      if (semantic === 'permit_on_first_permit' && decision) return;
    }
  });
  return done;
}

function attempt(run: () => Outcome): Outcome {
  try {
    return run();
  } catch (error) {
    const known = problemFromError(error);
    if (known === undefined || known.kind.status >= 500) throw error;
    return failure(known.kind.status, known.detail);
  }
}

function failure(status: number, message: string): Outcome {
  return { evaluated: { decision: false, context: { error: { status, message } } } };
}

function missingOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`;
}

/** @throws ProblemError 400 */
function aloneOf(shared: Many['shared']): Evaluation {
  const read = evaluationSchema.safeParse(shared, { error: issueText });
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new ProblemError(invalidRequest(errors));
}

/** The answer; of a denial that can be asked about, with what the request must bring back. */
async function told(
  dependencies: AuthZenDependencies,
  { organization }: Caller,
  { evaluated, requestable }: Outcome,
): Promise<Evaluated> {
  if (requestable === undefined) return evaluated;
  const { audit, baseUrl, clock } = dependencies;
  const now = clock.now();
  const expiresAt = Math.floor((now + DENIAL_MS) / 1000) * 1000;
  const { requests } = decisionPoint(baseUrl, organization.slug);
  const { agentId, evaluation } = requestable;
  const binding = { evaluationId: audit.newId(), agentId, digest: deniedDigest(evaluation), expiresAt };
  const { reason = 'denied', ...context } = evaluated.context ?? {};
  return {
    decision: false,
    context: {
      ...context,
      reason: reason === 'denied' ? 'approval_required' : reason,
      evaluation_id: binding.evaluationId,
      evaluated_at: isoTime(now),
      access_request: {
        endpoint: requests,
        expires_at: isoTime(expiresAt),
        binding_token: await bindingToken(dependencies, organization, binding),
      },
    },
  };
}
