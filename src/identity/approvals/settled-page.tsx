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
  approved: 'This request is approved',
  denied: 'This request is denied',
  expired: 'This request has expired',
} as const;

/** What became of a request, for those who could have decided it. */
export function settledPage(visit: AccountVisit, settled: SettledView): Reply<never> {
  const { request, isLate } = settled;
  const { view } = request;
  const { status } = view;
  const title = status === 'pending' ? 'This request cannot be decided now' : titles[status];
  return accountPage(
    visit,
    { room: '/account/approvals', title, ...(isLate ? { status: 409 } : {}) },
    <>
      {isLate ? (
        <p class="caution" role="alert">
          The request was decided before you sent your answer. Your answer changed nothing.
        </p>
      ) : (
        <Outcome visit={visit} request={request} />
      )}
      <p>
        {'It is from '}
        <WhoAsks agent={view.agent} />.
      </p>
      <Decided visit={visit} request={request} />
      <Purpose description={view.description} />
      <p>
        <a href={`${visit.base}/account/approvals`}>All requests</a>
      </p>
    </>,
  );
}

interface PartProps {
  readonly visit: AccountVisit;
  readonly request: ApprovalRequest;
}

/** What the reader has done; nothing where somebody else has. */
function Outcome({ visit, request: { view } }: PartProps) {
  const { decided, status, isActive } = view;
  if (decided?.by !== visit.user.id) return null;
  if (status === 'denied') return <Notice>You denied this request. The agent gets nothing.</Notice>;
  return isActive ? <Notice>You approved this request. The agent can start now.</Notice> : null;
}

function Decided({ visit, request }: PartProps) {
  const { view, deciderName } = request;
  const { decided, grant, ended, status, isActive } = view;
  const { locale, zoneinfo: zone } = visit.user.document;
  if (status === 'pending') return <p>The agent is switched off. It got nothing.</p>;
  if (decided === undefined) return <p>Nobody decided it in time. The agent got nothing, and can ask again.</p>;
  return (
    <>
      <p>
        <strong>
          <Name text={deciderName ?? ''} />
        </strong>
        {status === 'approved' ? ' approved it on ' : ' denied it on '}
        <Moment at={decided.at} locale={locale} zone={zone} />.
      </p>
      {decided.reason === undefined ? null : <Quoted text={decided.reason} label="Reason" />}
      {grant === undefined ? null : <h2>{isActive ? 'What the agent has now' : 'What the agent had'}</h2>}
      <Lent visit={visit} request={request} />
      {ended === undefined ? null : (
        <p>
          {'It was ended early, on '}
          <Moment at={ended.at} locale={locale} zone={zone} />.
        </p>
      )}
      {isActive && grant?.lenderId === visit.user.id ? (
        <AccountForm visit={visit} path="/account/agents/end" hidden={{ task: view.id }} id="end">
          <Button kind="danger">End now</Button>
        </AccountForm>
      ) : null}
    </>
  );
}
