import type { ServiceCaller } from '../../access/guard/index.ts';
import { type OutcomeWatch, Problem } from '../../http/index.ts';
import { type FailureLog, factsOf, subjectActor } from '../../kernel/audit/index.ts';

/** Puts every 403 of an organization's administration on record, whoever decided it: the guard or the endpoint. */
export function refusalWatch(failures: FailureLog): OutcomeWatch<ServiceCaller> {
  return (caller, visit) => {
    const { method, path } = visit.endpoint;
    if ('kind' in caller || !path.includes('/admin/')) return undefined;
    const { organization, subject, email } = caller;
    // taken now: what a request holds is used again before a late answer
    const facts = factsOf(visit);
    const metadata = { endpoint: `${method} ${path}`, parameters: { ...visit.params } };
    return (outcome) => {
      if (!(outcome instanceof Problem) || outcome.kind.status !== 403) return;
      failures.note(organization, { ...subjectActor(subject ?? 'platform'), email }, facts, {
        eventType: 'admin.action',
        action: 'access.denied',
        metadata: { ...metadata, detail: outcome.detail },
      });
    };
  };
}
