import type { Store } from '#engine';
import {
  agentIdOf,
  beginTask,
  type NewTask,
  neverLent,
  newTaskBody,
  sendNotices,
} from '../../../directory/elevations/index.ts';
import { findPermission, type TaskEntry, taskRecords } from '../../../directory/records/index.ts';
import { canonicalJson, type RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import {
  afterCommit,
  existing,
  forbidden,
  invalid,
  type Transaction,
  transact,
} from '../../../kernel/transactions/index.ts';
import { digestOf } from '../../../platform/index.ts';
import { decisionPoint } from '../addresses.ts';
import type { AccessRequest } from '../bodies.ts';
import type { AuthZenDependencies } from '../dependencies.ts';
import { type Binding, deniedDigest, readBindingToken } from '../signed/binding-token.ts';
import { requestProblem, requestProblems } from './request-problems.ts';
import { type RequestMarks, requestRecords } from './request-record.ts';

/** An `Idempotency-Key` counts for so long: longer than any task waits, and a day. */
const KEPT_MS = 31 * 86_400_000;

/**
 * Asks for what an evaluation has denied: a task of the agent that asks, decided by people as any other. The same request,
 * sent again, finds the same task.
 * @throws ProblemError 403 where the caller is no agent; 400, 409, 410 as the profile names them
 */
export async function submitRequest(
  dependencies: AuthZenDependencies,
  caller: Caller,
  facts: RequestFacts,
  { body, key }: { readonly body: AccessRequest; readonly key: string | undefined },
): Promise<TaskEntry> {
  const agentId = agentIdOf(caller);
  requireOwnChain(dependencies, caller, agentId, body);
  const { store } = caller.organization;
  const digest = digestOf(canonicalJson(body));
  const keyed = key === undefined ? {} : { key: digestOf(`${agentId}\n${key}`) };
  // whoever comes back after a long time finds its task, whether or not the denial is still good
  const before = dependencies.engine.read(() => taskOfKey(store, { ...keyed, digest }));
  if (before !== undefined) return before;
  const binding = await boundTo(dependencies, caller, agentId, body);
  const marks = { evaluation: digestOf(`${agentId}\n${binding.evaluationId}`), ...keyed, digest };
  const task = taskOf(body, dependencies.clock.now());
  const { id, isNew } = await transact(dependencies, caller, facts, (transaction) => {
    const known = knownTask(transaction, marks);
    if (known !== undefined) return transaction.drop({ id: known.id, isNew: false });
    requireRequestable(transaction, task);
    const id = beginTask(transaction, task, { evaluationId: binding.evaluationId });
    transaction.put(requestRecords, id, { ...marks, until: transaction.now + KEPT_MS });
    return { id, isNew: true };
  });
  const entry = afterCommit(dependencies, taskRecords, store, id, (task) => task);
  if (isNew) sendNotices(dependencies, caller.organization, entry);
  return entry;
}

/** The denial that a request belongs to: of the same question, to the same agent, and not too long ago. */
async function boundTo(
  dependencies: AuthZenDependencies,
  { organization }: Caller,
  agentId: string,
  body: AccessRequest,
): Promise<Binding> {
  const { binding_token: token, evaluation_id: evaluationId, expires_at: said } = body.denial;
  if (token === undefined) throw unbound('denial.binding_token is missing.');
  const binding = await readBindingToken(dependencies, organization, token);
  if (binding === 'expired') throw requestProblem(requestProblems.expired_denial, 'Evaluate again, and ask then.');
  if (binding === undefined) throw unbound('denial.binding_token was not made here.');
  const isSame =
    binding.agentId === agentId &&
    binding.digest === deniedDigest(body) &&
    binding.expiresAt === Date.parse(said) &&
    (evaluationId === undefined || evaluationId === binding.evaluationId);
  if (!isSame) throw unbound('The denial was of another question, or to somebody else.');
  return binding;
}

/**
 * A claim of who acts for the subject must be what the credential shows (Access Request and Approval Profile, "Actor and
 * Source Verification"): the agent that asks, and nobody between.
 * @throws ProblemError 403
 */
function requireOwnChain(
  { baseUrl }: AuthZenDependencies,
  { organization: { slug } }: Caller,
  agentId: string,
  { client }: AccessRequest,
): void {
  const { actor } = client ?? {};
  if (actor === undefined) return;
  const { issuer } = decisionPoint(baseUrl, slug);
  const isOwn = actor.id === agentId && (actor.issuer ?? issuer) === issuer && actor.act === undefined;
  if (!isOwn) throw forbidden('client.actor is not the agent that asks.');
}

/** What was made with the same key before. @throws ProblemError where the request was another one */
function taskOfKey(store: Store, { key, digest }: Omit<RequestMarks, 'evaluation'>): TaskEntry | undefined {
  const known = key === undefined ? undefined : requestRecords.byUnique(store, 'key', key);
  if (known === undefined) return undefined;
  if (known.document.digest !== digest) {
    throw requestProblem(requestProblems.duplicate_request, 'Send the first request again, or use a new key.');
  }
  return existing(taskRecords.get(store, known.id));
}

/** What was made of the same denial, or with the same key, before. @throws ProblemError where the request was another one */
function knownTask({ store }: Transaction, marks: RequestMarks): TaskEntry | undefined {
  const byKey = taskOfKey(store, marks);
  if (byKey !== undefined) return byKey;
  const known = requestRecords.byUnique(store, 'evaluation', marks.evaluation);
  if (known === undefined) return undefined;
  if (known.document.digest !== marks.digest) throw unbound('The denial was used for another request: evaluate again.');
  return existing(taskRecords.get(store, known.id));
}

/** The permission may have gone since. */
function requireRequestable({ store }: Transaction, { required_scopes: [scope = ''] }: NewTask): void {
  if (findPermission(store, scope) === undefined || neverLent.has(scope)) {
    throw requestProblem(requestProblems.not_requestable, `${scope} cannot be asked for.`);
  }
}

/** @throws ProblemError 400 */
function taskOf({ resource, action, context = {}, requested_access: wish = {} }: AccessRequest, now: number): NewTask {
  const until = wish.requested_until;
  const object = `${resource.type}:${resource.id}`;
  const { business_justification: reason } = context;
  const task = newTaskBody.safeParse({
    task_description: typeof reason === 'string' && reason.trim() !== '' ? reason : `${action.name} on ${object}`,
    required_scopes: [`${resource.type}:${action.name}`],
    resources: [object],
    ...(until === undefined ? {} : { duration: Math.ceil((Date.parse(until) - now) / 1000) }),
  });
  if (task.success) return task.data;
  const issue = task.error.issues[0];
  const path = paths[String(issue?.path[0])] ?? '';
  throw invalid(path, issue?.message ?? 'is not valid');
}

/** By the field of a task: the path in the request that it comes from. */
const paths: Readonly<Record<string, string>> = {
  task_description: 'context.business_justification',
  required_scopes: 'action.name',
  resources: 'resource',
  duration: 'requested_access.requested_until',
};

function unbound(detail: string) {
  return requestProblem(requestProblems.invalid_denial_binding, detail);
}
