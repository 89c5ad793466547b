/** Changes that no test can notice, because nothing that can be seen follows from them; each with the reason. */
export interface Equivalent {
  readonly file: string;
  readonly reason: string;
  /** The function or method that it stands in. */
  readonly within?: string;
  /** The line on which the change begins, without its indentation. */
  readonly line?: string;
  /** The text that is changed, and what it becomes; without them all that is changed in the function is meant. */
  readonly before?: string;
  readonly after?: string;
}

const mixes = 'another way to mix a hash finds the same, at another speed';
const remembered = 'how much is remembered changes the speed alone';
const readAtOnce = 'how many ids are read at once changes the speed alone';
const oneIsEnough = 'whether there is any is told by one as well as by two';
const namesKnown = 'a model whose relations name others that it lacks is refused before it is looked at';
const narrowed = 'tested for the type checker: where this is undefined, so is what is tested beside it';

export const equivalents: readonly Equivalent[] = [
  { file: 'engine/evaluate/walk/node-map.ts', within: 'hash', reason: mixes },
  { file: 'engine/evaluate/graph/arena.ts', within: 'hash', reason: mixes },
  {
    file: 'engine/evaluate/walk/evaluate.ts',
    before: 'depth > run.limits.depthMax',
    after: '(depth >= run.limits.depthMax)',
    reason: 'what fails for its depth in a walk is decided again by equations, which count by themselves',
  },
  {
    file: 'engine/evaluate/plan/compile.ts',
    line: 'if (target === undefined || plan === undefined) return;',
    reason: namesKnown,
  },
  {
    file: 'engine/evaluate/equations/well-founded.ts',
    line: 'if (end === from) this.#decide(index, FAILS);',
    before: 'this.#decide(index, FAILS);',
    after: ';',
    reason: 'what reads nothing rests on nothing, and fails by that: one turn later, with the same outcome',
  },
  {
    file: 'engine/evaluate/list/selection.ts',
    line: 'this.#capacity = Math.max(1024, Math.min(limit * 4, limit + 65_536));',
    before: '4',
    after: '5',
    reason: 'how many ids are held before the larger ones are dropped changes the speed alone',
  },
  {
    file: 'engine/evaluate/explain/prove.ts',
    line: 'if (state.proof !== undefined || depth >= state.exploredAt || depth > this.#depthMax) return;',
    after: '((state.proof !== undefined || depth >= state.exploredAt) && (depth > this.#depthMax))',
    reason: 'only steps that hold within the hops that are left are followed: what is tried again is proved again',
  },
  {
    file: 'engine/evaluate/list/list-objects.ts',
    line: 'if (window !== undefined && window.after <= after) {',
    before: 'window.after <= after',
    after: '(window.after < after)',
    reason: 'the page that a window begins with is looked for again and found the same',
  },
  {
    file: 'src/platform/network/address.ts',
    within: 'longestZeros',
    before: '0',
    after: '1',
    reason: 'a run of one zero is not shortened, so that a longest run of 0 and of 1 are the same',
  },
  {
    file: 'src/platform/network/address-list.ts',
    before: "if (address === '') return '';",
    after: ';',
    reason: 'what is no address is trusted by nobody, and the loop ends with it',
  },
  {
    file: 'src/identity/mfa/changes/own-factors.ts',
    before: 'entry === undefined || user === undefined || factor === undefined',
    after: '(factor === undefined)',
    reason: narrowed,
  },
  {
    file: 'src/protocols/oauth/clients/authentication/presented.ts',
    within: 'readBasic',
    before: '1',
    after: '2',
    reason: '-1 and -2 both say that there is no colon',
  },
  {
    file: 'src/protocols/oauth/clients/authentication/presented.ts',
    before: "clientId === undefined || clientId === ''",
    after: '(clientId === undefined)',
    reason: 'no client has an empty id: it is answered like any other that there is not',
  },
  {
    file: 'engine/evaluate/plan/compile.ts',
    before: 'target !== undefined && unions.has(target)',
    after: '(unions.has(target))',
    reason: narrowed,
  },
  {
    file: 'src/identity/mfa/codes/send-code.ts',
    before: "to === undefined || (factor?.type !== 'sms' && factor?.type !== 'email')",
    reason: 'tested for the type checker: the factors of these types are those that have a receiver',
  },
  {
    file: 'src/identity/limits/rates/replay-cache.ts',
    line: 'Atomics.notify(this.#cells, group, 1);',
    reason: 'whoever waits looks again after a millisecond in any case',
  },
  {
    file: 'src/kernel/transactions/keep-administrator.ts',
    before: "'suspend_subject'",
    after: '...[]',
    reason: 'it ends rights of somebody: such a command requires the record that each model write writes',
  },
  {
    file: 'src/identity/sessions/lists/standing.ts',
    line: 'limit = next < 0 ? CHUNK : 1;',
    reason: readAtOnce,
  },
  {
    file: 'src/identity/sessions/service/sessions.ts',
    line: 'const SECRET_LENGTH = 43;',
    reason: 'a longer secret serves as well',
  },
  {
    file: 'src/identity/sessions/service/sessions.ts',
    line: 'const OP_STATE_LENGTH = 22;',
    reason: 'a longer random text serves as well',
  },
  {
    file: 'src/protocols/oauth/grants/token-exchange.ts',
    before: 'parent === undefined || !dependencies.verifier.stillCounts(organization, subject)',
    after: '(!dependencies.verifier.stillCounts(organization, subject))',
    reason: narrowed,
  },
  {
    file: 'src/kernel/rights/reach.ts',
    line: 'isPlain: true,',
    reason: 'without the short cut of plain models the same is decided in more steps',
  },
  {
    file: 'src/kernel/rights/reach.ts',
    before: "'member'",
    after: '...[]',
    reason: 'without the short cut of plain models the walk finds the same relations',
  },
  {
    file: 'src/access/decisions/checks/permission/unheld-permissions.ts',
    line: 'const KNOWN_MAX = 10_000;',
    reason: remembered,
  },
  { file: 'src/access/guard/key-callers.ts', line: 'const KNOWN_MAX = 10_000;', reason: remembered },
  {
    file: 'src/access/decisions/checks/permission/unheld-permissions.ts',
    line: 'limit: 1,',
    before: '1',
    reason: oneIsEnough,
  },
  {
    file: 'src/identity/sessions/lists/tokens-of.ts',
    within: 'isAnyUnder',
    before: '1',
    reason: oneIsEnough,
  },
  {
    file: 'src/identity/sessions/records/participation.ts',
    within: 'noticeOfEnd',
    before: '1',
    reason: oneIsEnough,
  },
  {
    file: 'src/kernel/commits/use-notes.ts',
    line: 'const BATCH = 200;',
    reason: 'how much is written at once changes the number of commits alone',
  },
  { file: 'src/identity/sessions/lists/standing.ts', line: 'const AHEAD = 1000;', reason: readAtOnce },
  { file: 'src/identity/sessions/lists/standing.ts', line: 'const CHUNK = 10_000;', reason: readAtOnce },
  {
    file: 'src/kernel/rights/reach.ts',
    line: 'const parents = this.#model.types.get(type)?.relations.get(tupleset)?.directSubjects ?? [];',
    reason: namesKnown,
  },
  {
    file: 'src/access/decisions/zanzibar/authorize-system-tuples.ts',
    line: 'const judgedModelId = writes.length > 0 ? store.latestModelId() : undefined;',
    before: '0',
    after: '1',
    reason: 'a write that does not name the model that it was judged by has a precondition that does',
  },
  {
    file: 'engine/evaluate/equations/collector.ts',
    line: 'level.length = 0;',
    reason: 'what was explored is passed over: how much of it is walked again changes the speed alone',
  },
];
