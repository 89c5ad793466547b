import { z } from 'zod';
import { durationText, pendingFor, type TaskView, taskView, timeLeft } from '../../directory/elevations/index.ts';
import type { Endpoint } from '../../http/index.ts';
import { type AccountDependencies, type AccountVisit, accountEndpoint, accountPage } from '../account/index.ts';
import { About, ButtonLink, Name, Quoted } from '../pages/index.ts';
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
      const { organization, user, query } = visit;
      const now = dependencies.clock.now();
      const { views, hasMore } = dependencies.engine.read(() => {
        const waiting = pendingFor(dependencies, organization, user.id, { limit: SHOWN_MAX });
        const views = waiting.tasks.map((task) => taskView(organization.store, task, now));
        return { views, hasMore: waiting.hasMore };
      });
      return accountPage(
        visit,
        { room: '/account/approvals', title: 'Requests of agents', done: query.done },
        <>
          <p>
            {views.length === 0
              ? 'No requests are waiting for you.'
              : 'These agents ask for permissions of yours. They get nothing until you approve.'}
          </p>
          <ul class="items">
            {views.map((view) => (
              <Waiting key={view.id} visit={visit} view={view} now={now} />
            ))}
          </ul>
          {hasMore ? <p>There are more. They are shown when these are decided.</p> : null}
        </>,
      );
    },
  });
}

interface WaitingProps {
  readonly visit: AccountVisit;
  readonly view: TaskView;
  readonly now: number;
}

function Waiting({ visit: { base }, view, now }: WaitingProps) {
  const { id, agent, scopes, seconds, expiresAt, description } = view;
  const count = scopes.length === 1 ? 'one permission' : `${scopes.length} permissions`;
  return (
    <li>
      <h2>
        <Name text={agent.name} />
      </h2>
      <p class="hint">
        {'It is '}
        <Whose agent={agent} />
        {`. It asks for ${count}, for ${durationText(seconds)}. ${timeLeft(expiresAt, now)} left to decide.`}
      </p>
      <Quoted text={shortened(description)} label="What the agent wants to do" />
      <ButtonLink href={`${base}/approvals/${id}`}>
        Open the request
        <About name={agent.name} />
      </ButtonLink>
    </li>
  );
}

/** The beginning, in whole characters: all of it is on the page of the request. */
function shortened(text: string): string {
  const characters = [...text.replace(/[ \t\r\n]+/g, ' ')];
  return characters.length <= LENGTH_SHOWN ? characters.join('') : `${characters.slice(0, LENGTH_SHOWN).join('')}…`;
}
