import type { z } from 'zod';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { approvalSchema, type Evaluation } from '../bodies.ts';
import type { AuthZenDependencies } from '../dependencies.ts';
import { approvalIdIn } from '../signed/approval-state.ts';

/** An approval as an evaluation brings it. */
export type SentApproval = z.output<typeof approvalSchema>;

/** Which approvals the states belong to that some evaluations bring. */
export class ReadStates {
  readonly #ids: ReadonlyMap<string, string | undefined>;

  private constructor(ids: ReadonlyMap<string, string | undefined>) {
    this.#ids = ids;
  }

  /** Verifies each once, before the snapshot in which the evaluations are decided. */
  static async in(
    dependencies: AuthZenDependencies,
    organization: Organization,
    evaluations: readonly { readonly context?: Evaluation['context'] | undefined }[],
  ): Promise<ReadStates> {
    const ids = new Map<string, string | undefined>();
    for (const { context } of evaluations) {
      const { state } = approvalSchema.safeParse(context?.approval).data ?? {};
      if (typeof state !== 'string' || ids.has(state)) continue;
      ids.set(state, await approvalIdIn(dependencies, organization, state));
    }
    return new ReadStates(ids);
  }

  /** Whether the state that an approval came with, if it came with one, is its own. */
  isOf({ id, state }: SentApproval): boolean {
    return state === undefined || (typeof state === 'string' && this.#ids.get(state) === id);
  }
}
