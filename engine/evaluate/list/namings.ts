import { QUALIFIED } from '../../store/edge-key.ts';
import { DENIED } from '../verdict.ts';
import type { Run } from '../walk/run.ts';
import { matched } from '../walk/union.ts';
import type { SubjectSource } from './descend.ts';

/**
 * The tuples that name the candidates of one batch. A candidate without a tuple that counts (all have expired, have a
 * false condition, or are replaced by a contextual one) is no result of its own, even where a wildcard covers it.
 */
export class Namings {
  readonly #run: Run;
  /** Most lists have no tuple that must be weighed, and keep nothing here. */
  readonly #isNeeded: boolean;
  /** Sources whose tuples have to be weighed; undefined where something counts for sure. */
  readonly #of = new Map<number, SubjectSource[] | undefined>();

  constructor(run: Run, sources: readonly SubjectSource[]) {
    this.#run = run;
    this.#isNeeded = sources.some((source) => this.#isWeighed(source));
  }

  clear(): void {
    this.#of.clear();
  }

  /** Without a source, what names the subject counts. */
  add(subject: number, source: SubjectSource | undefined): void {
    if (!this.#isNeeded) return;
    if (source === undefined || !this.#isWeighed(source)) {
      this.#of.set(subject, undefined);
    } else if (this.#of.has(subject)) {
      this.#of.get(subject)?.push(source);
    } else {
      this.#of.set(subject, [source]);
    }
  }

  /** Does a tuple that names this subject count? */
  count(subject: number): boolean {
    const sources = this.#of.get(subject);
    return sources === undefined || sources.some((source) => isCounted(this.#run, source, subject));
  }

  #isWeighed({ kinds }: SubjectSource): boolean {
    return (kinds & QUALIFIED) !== 0 || this.#run.overlay !== undefined;
  }
}

/** Is a stored tuple worth something, or undecided? What it lacks must not show in any answer. */
export function isCounted(run: Run, { object, kinds }: SubjectSource, subject: number): boolean {
  const restriction = run.plan.directEdges.get(kinds >>> 16)?.allowed[kinds & 0x7fff];
  if (restriction === undefined) return false;
  const { error } = run;
  const missing = run.missing.length;
  const weight = matched(run, object, kinds, subject, restriction);
  run.forget(missing, error);
  return weight !== DENIED;
}
