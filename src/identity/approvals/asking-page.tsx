import { durationIn, secondsLeft } from '../../directory/elevations/index.ts';
import type { Reply } from '../../http/index.ts';
import { type AccountVisit, accountPage, Moment } from '../account/index.ts';
import { Name } from '../pages/index.ts';
import { ApproveForm, type Asking, DenyForm, ProveForm } from './decision-forms.tsx';
import { Purpose, WhoAsks } from './request-parts.tsx';

interface AskingView extends Asking {
  /** Whether a second factor must be proved before anything can be approved here. */
  readonly mustProve: boolean;
}

/** Shows all that an agent asks for, and lets a person lend it, less of it, or nothing. */
export function askingPage(visit: AccountVisit, asking: AskingView): Reply<never> {
  const { t } = visit;
  const { request, faults, news, mustProve } = asking;
  const { agent, scopes, seconds, description } = request.view;
  const values = {
    count: scopes.length,
    agent: (
      <strong>
        <Name text={agent.name} />
      </strong>
    ),
    time: <strong>{durationIn(t, seconds)}</strong>,
  };
  return accountPage(
    visit,
    {
      room: 'agents',
      title: t(news === undefined ? 'approvals.asks' : 'approvals.changed'),
      lead: t.rich('approvals.first', values),
      back: { path: '/account/approvals', label: t('approvals.allRequests') },
      faults,
      ...(news === undefined ? {} : { status: 409 }),
    },
    <>
      {news === undefined ? null : <News t={t} news={news} />}
      <Facts visit={visit} request={request} />
      <Purpose t={t} description={description} />
      <section class="panel" aria-labelledby="could-title">
        <h2 id="could-title">{t('approvals.could')}</h2>
        <p class="hint">{t('approvals.couldHint')}</p>
        <div class="decide">
          {mustProve ? <ProveForm visit={visit} asking={asking} /> : <ApproveForm visit={visit} asking={asking} />}
          <DenyForm visit={visit} asking={asking} />
        </div>
      </section>
    </>,
  );
}

/** Who asks, and until when it can be answered. */
function Facts({ visit, request: { view, now } }: { readonly visit: AccountVisit } & Pick<Asking, 'request'>) {
  const { t } = visit;
  const left = durationIn(t, secondsLeft(view.expiresAt, now));
  return (
    <dl class="request">
      <div>
        <dt>{t('approvals.who')}</dt>
        <dd>
          <WhoAsks t={t} agent={view.agent} />
        </dd>
      </div>
      <div>
        <dt>{t('approvals.deadline')}</dt>
        <dd>{t.rich('approvals.left', { left, time: <Moment visit={visit} at={view.expiresAt} /> })}</dd>
      </div>
    </dl>
  );
}

interface NewsProps {
  readonly t: AccountVisit['t'];
  readonly news: ReadonlySet<string>;
}

function News({ t, news }: NewsProps) {
  return (
    <p class="caution" role="alert">
      {t('approvals.nothingLent')} {t(news.size === 0 ? 'approvals.wordsChanged' : 'approvals.requestChanged')}
    </p>
  );
}
