import { z } from 'zod';
import type { TaskView } from '../../directory/elevations/index.ts';
import { type AccountVisit, objectsIn } from '../account/index.ts';
import { type FormFault, ticked } from '../pages/index.ts';

export const SCOPES_MAX = 50;
export const RESOURCES_MAX = 100;
export const LINES_LENGTH_MAX = 16_384;
export const REASON_LENGTH_MAX = 1000;
/** Every box of the form, and the fields beside them. */
export const FIELDS_MAX = SCOPES_MAX + RESOURCES_MAX + 16;

/** What a person sends who decides. */
export const decisionBody = z.object({
  decision: z.enum(['approve', 'deny', 'prove']),
  digest: z.string().max(128).default(''),
  scope: ticked(128, SCOPES_MAX),
  /** Indexes in the list of resources that was shown. */
  resource: ticked(4, RESOURCES_MAX),
  /** Resources to which it is narrowed where the agent asked for all: one per line. */
  only: z.string().max(LINES_LENGTH_MAX).default(''),
  seconds: z.string().max(16).default(''),
  reason: z.string().max(REASON_LENGTH_MAX).default(''),
  /** Shows that this person was asked: see `askedProof`. */
  asked: z.string().max(128).default(''),
  seen: z.string().max(LINES_LENGTH_MAX).default(''),
});

export type Decision = z.output<typeof decisionBody>;

/** What is to be lent, or what is wrong with the form. */
export type Wish =
  | { readonly scopes: readonly string[]; readonly resources?: readonly string[]; readonly seconds: number }
  | { readonly faults: readonly FormFault[] };

export function wishOf(t: AccountVisit['t'], view: TaskView, { scope, resource, only, seconds }: Decision): Wish {
  const faults: FormFault[] = [];
  const scopes = view.scopes.map(({ slug }) => slug).filter((slug) => scope.includes(slug));
  if (scopes.length === 0) faults.push({ field: 'scopes', message: t('approvals.onePermission') });
  const resources =
    view.resources?.filter((_, index) => resource.includes(String(index))) ?? objectsIn(t, only, RESOURCES_MAX);
  if ('fault' in resources) {
    faults.push({ field: 'only', message: resources.fault });
  } else if (view.resources !== undefined && resources.length === 0) {
    faults.push({ field: 'resources', message: t('approvals.oneResource') });
  }
  const length = /^\d{1,9}$/.test(seconds) ? Number(seconds) : 0;
  if (length < 1 || length > view.seconds) {
    faults.push({ field: 'seconds', message: t('approvals.chooseLength') });
  }
  if ('fault' in resources || faults.length > 0) return { faults };
  return { scopes, seconds: length, ...(resources.length === 0 ? {} : { resources }) };
}
