import type { Reply } from '../../http/index.ts';
import { AccountForm, type AccountVisit, accountPage, Moment } from '../account/index.ts';
import { Button, Name, Notice, Quoted } from '../pages/index.ts';
import type { ApprovalRequest } from './request.ts';
import { Lent, Purpose, WhoAsks } from './request-parts.tsx';

interface SettledView {
  readonly request: ApprovalRequest;
  /** Whether this person has just tried to decide, and came too late. */
  readonly isLate: boolean;
}

const titles = {
  approved: 'approvals.approvedTitle',
  denied: 'approvals.deniedTitle',
  expired: 'approvals.expiredTitle',
  pending: 'approvals.closedTitle',
} as const;

/** What became of a request, for those who could have decided it. */
export function settledPage(visit: AccountVisit, { request, isLate }: SettledView): Reply<never> {
  const { t } = visit;
  const { view } = request;
  return accountPage(
    visit,
    {
      room: 'agents',
      title: t(titles[view.status]),
      lead: <WhoAsks t={t} agent={view.agent} />,
      back: { path: '/account/approvals', label: t('approvals.allRequests') },
      ...(isLate ? { status: 409 } : {}),
    },
    <>
      {isLate ? (
        <p class="caution" role="alert">
          {t('approvals.late')}
        </p>
      ) : (
        <Outcome visit={visit} request={request} />
      )}
      <Decided visit={visit} request={request} />
      <Purpose t={t} description={view.description} />
    </>,
  );
}

interface PartProps {
  readonly visit: AccountVisit;
  readonly request: ApprovalRequest;
}

/** What the reader has done; nothing where somebody else has. */
function Outcome({ visit: { t, user }, request: { view } }: PartProps) {
  const { decided, status, isActive } = view;
  if (decided?.by !== user.id) return null;
  if (status === 'denied') return <Notice>{t('approvals.youDenied')}</Notice>;
  return isActive ? <Notice>{t('approvals.youApproved')}</Notice> : null;
}

function Decided({ visit, request }: PartProps) {
  const { t } = visit;
  const { decided, status } = request.view;
  if (status === 'pending') return <p>{t('approvals.switchedOff')}</p>;
  if (decided === undefined) return <p>{t('approvals.nobodyDecided')}</p>;
  const values = {
    name: (
      <strong>
        <Decider visit={visit} request={request} />
      </strong>
    ),
    time: <Moment visit={visit} at={decided.at} />,
  };
  return (
    <>
      <p>{t.rich(status === 'approved' ? 'approvals.approvedBy' : 'approvals.deniedBy', values)}</p>
      {decided.reason === undefined ? null : <Quoted text={decided.reason} label={t('approvals.reasonLabel')} />}
      <Granted visit={visit} request={request} />
    </>
  );
}

function Decider({ visit: { t }, request: { view, deciderName } }: PartProps) {
  const isRule = view.decided?.byType === 'rule';
  const known = isRule ? t('approvals.byRule') : deciderName;
  return <Name text={known ?? t('approvals.somebody')} />;
}

/** What was lent, with a way to end it for whoever has lent it. */
function Granted({ visit, request }: PartProps) {
  const { t } = visit;
  const { id, grant, ended, isActive } = request.view;
  if (grant === undefined) return null;
  return (
    <section class="panel" aria-labelledby="granted-title">
      <h2 id="granted-title">{t(isActive ? 'approvals.hasNow' : 'approvals.had')}</h2>
      <Lent visit={visit} request={request} />
      {ended === undefined ? null : (
        <p>{t.rich('approvals.endedEarly', { time: <Moment visit={visit} at={ended.at} /> })}</p>
      )}
      {isActive && grant.lenderId === visit.user.id ? (
        <AccountForm visit={visit} path="/account/agents/end" hidden={{ task: id }} id="end">
          <Button kind="danger">{t('approvals.endNow')}</Button>
        </AccountForm>
      ) : null}
    </section>
  );
}
