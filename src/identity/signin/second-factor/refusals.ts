import { ProblemError } from '../../../http/index.ts';
import type { Refusal } from '../../mfa/index.ts';
import type { FormFault } from '../../pages/index.ts';

/** What a form is answered with: the faults to show, and the status that goes with them. */
export interface Refused {
  readonly faults: readonly FormFault[];
  readonly status?: number;
}

/** @param field what a wrong code was typed into; `''` where nothing was typed */
export function refusedWith(fault: Refusal | FormFault | undefined, field: string, now: number): Refused {
  if (fault === undefined) return { faults: [] };
  if (!('ok' in fault)) return { faults: [fault], status: 422 };
  return { faults: [faultOf(fault, field, now)], status: fault.reason === 'wait' ? 429 : 422 };
}

/** What a reader can do about a refusal. */
function faultOf(refusal: Refusal, field: string, now: number): FormFault {
  switch (refusal.reason) {
    case 'wrong':
      return field === ''
        ? { field, message: 'It was not accepted. Try again, or another way.' }
        : { field, message: 'This is not right, or was used already. Try the next one.' };
    case 'expired':
      return { field: '', message: 'This is no longer valid. Begin again below.' };
    case 'known':
      return { field: '', message: 'This is registered already.' };
    case 'wait':
      return { field: '', message: `Too many attempts. Try again ${inWords(refusal.until - now)}.` };
  }
}

/** What a problem says to who was sending a form; what is a fault of the service itself is thrown on. */
export function faultOfProblem(error: unknown): FormFault {
  const known = error instanceof ProblemError ? error.problem : undefined;
  if (known === undefined) throw error;
  const { kind, detail } = known;
  if (kind.status === 422) return { field: '', message: detail };
  if (kind.status === 503) return { field: '', message: `${kind.title}. Try again in a minute, or use another way.` };
  throw error;
}

function inWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 60) return `in ${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}
