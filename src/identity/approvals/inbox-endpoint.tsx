import { z } from 'zod';
import {
  askedProof,
  durationIn,
  pendingFor,
  secondsLeft,
  type TaskView,
  taskView,
} from '../../directory/elevations/index.ts';
import type { Endpoint } from '../../http/index.ts';
import {
  type AccountDependencies,
  type AccountVisit,
  AgentTabs,
  accountEndpoint,
  accountPage,
} from '../account/index.ts';
import { About, Avatar, Empty, Name, Panel, Quoted } from '../pages/index.ts';
import { Whose } from './request-parts.tsx';

const SHOWN_MAX = 50;
const LENGTH_SHOWN = 200;

/** What agents ask for and this person can decide. */
export function inboxEndpoint(dependencies: AccountDependencies): Endpoint {
  return accountEndpoint(dependencies, {
    method: 'GET',
    path: '/orgs/{orgId}/account/approvals',
    summary: 'Requests of agents that wait for this user',
    query: z.object({ done: z.string().max(32).optional() }),
    handler(visit) {
      const { organization, user, query, t } = visit;
      const now = dependencies.clock.now();
      const { views, hasMore } = dependencies.engine.read(() => {
        const waiting = pendingFor(dependencies, organization, user.id, { limit: SHOWN_MAX });
        const views = waiting.tasks.map((task) => taskView(organization.store, task, now));
        return { views, hasMore: waiting.hasMore };
      });
      const proofOf = (id: string) => askedProof(dependencies.sealer, organization, id, user.id);
      return accountPage(
        visit,
        { room: 'agents', title: t('approvals.inbox'), lead: t('approvals.inboxLead'), done: query.done },
        <>
          <AgentTabs visit={visit} tab="requests" />
          <Panel id="waiting" title={t('approvals.waiting')}>
            {views.length === 0 ? <Empty>{t('approvals.inboxNone')}</Empty> : null}
            {views.map((view) => (
              <Waiting key={view.id} visit={visit} view={view} now={now} proof={proofOf(view.id)} />
            ))}
          </Panel>
          {hasMore ? <p>{t('approvals.inboxMore')}</p> : null}
        </>,
      );
    },
  });
}

interface WaitingProps {
  readonly visit: AccountVisit;
  readonly view: TaskView;
  readonly now: number;
  /** Shows later that this person was asked. */
  readonly proof: string;
}

function Waiting({ visit: { base, t }, view, now, proof }: WaitingProps) {
  const { id, agent, scopes, seconds, expiresAt, description } = view;
  const time = durationIn(t, seconds);
  const left = durationIn(t, secondsLeft(expiresAt, now));
  return (
    <div class="row">
      <Avatar name={agent.name} />
      <div class="row-text">
        <h3>
          <Name text={agent.name} />
        </h3>
        <p class="hint">
          <Whose t={t} agent={agent} />
        </p>
        <p>{t('approvals.inboxAsks', { count: scopes.length, time })}</p>
        <Quoted text={shortened(description)} label={t('approvals.purpose')} />
        <p class="hint">{t('approvals.inboxLeft', { time: left })}</p>
      </div>
      <div class="row-end">
        <a class="button main small" href={`${base}/approvals/${id}?asked=${proof}`}>
          {t('approvals.open')}
          <About name={agent.name} />
        </a>
      </div>
    </div>
  );
}

/** The beginning, in whole characters: all of it is on the page of the request. */
function shortened(text: string): string {
  const characters = [...text.replace(/[ \t\r\n]+/g, ' ')];
  return characters.length <= LENGTH_SHOWN ? characters.join('') : `${characters.slice(0, LENGTH_SHOWN).join('')}…`;
}
