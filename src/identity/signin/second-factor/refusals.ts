import { ProblemError } from '../../../http/index.ts';
import type { Texts } from '../../../texts/index.ts';
import type { Refusal } from '../../mfa/index.ts';
import { type FormFault, refusalText } from '../../pages/index.ts';

/** What a form is answered with: the faults to show, and the status that goes with them. */
export interface Refused {
  readonly faults: readonly FormFault[];
  readonly status?: number;
}

/** @param field what a wrong code was typed into; `''` where nothing was typed */
export function refusedWith(t: Texts, fault: Refusal | FormFault | undefined, field: string, now: number): Refused {
  if (fault === undefined) return { faults: [] };
  if (!('ok' in fault)) return { faults: [fault], status: 422 };
  return { faults: [faultOf(t, fault, field, now)], status: fault.reason === 'wait' ? 429 : 422 };
}

/** What a reader can do about a refusal. */
function faultOf(t: Texts, refusal: Refusal, field: string, now: number): FormFault {
  switch (refusal.reason) {
    case 'wrong':
      return { field, message: t(field === '' ? 'secondFactor.wrongAnswer' : 'secondFactor.wrongCode') };
    case 'expired':
      return { field: '', message: t('secondFactor.expired') };
    case 'known':
      return { field: '', message: t('secondFactor.known') };
    case 'wait':
      return { field: '', message: waitText(t, refusal.until - now) };
  }
}

/** What a problem says to who was sending a form; what is a fault of the service itself is thrown on. */
export function faultOfProblem(t: Texts, error: unknown): FormFault {
  const known = error instanceof ProblemError ? error.problem : undefined;
  if (known === undefined) throw error;
  const { kind } = known;
  if (kind.status === 503) return { field: '', message: t('secondFactor.notSent') };
  if (kind.status !== 422) throw error;
  return { field: '', message: refusalText(t, known) };
}

function waitText(t: Texts, ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 60
    ? t('secondFactor.waitSeconds', { count: seconds })
    : t('secondFactor.waitMinutes', { count: Math.ceil(seconds / 60) });
}
