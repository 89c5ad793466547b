import type { TaskView } from '../../../directory/elevations/index.ts';
import { About, Avatar, Button, Empty, Name, Panel } from '../../pages/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { Moment } from '../frame/moment.tsx';

/** What agents have of this user's rights now, each with a way to end it. */
export function LentList({ visit, lent }: { readonly visit: AccountVisit; readonly lent: readonly TaskView[] }) {
  const { t } = visit;
  return (
    <Panel id="lent" title={t('agents.lent')} hint={lent.length === 0 ? undefined : t('agents.lentHint')}>
      {lent.length === 0 ? <Empty>{t('agents.lentNone')}</Empty> : null}
      {lent.map((view) => (
        <Lent key={view.id} visit={visit} view={view} />
      ))}
    </Panel>
  );
}

function Lent({ visit, view }: { readonly visit: AccountVisit; readonly view: TaskView }) {
  const { t, base } = visit;
  const { id, agent, grant } = view;
  if (grant === undefined) return null;
  const { scopes, resources, until } = grant;
  return (
    <div class="row">
      <Avatar name={agent.name} />
      <div class="row-text">
        <h3>
          <Name text={agent.name} />
        </h3>
        <p>
          <code>{scopes.join(', ')}</code>
        </p>
        <ul class="facts">
          <li>{resources === undefined ? t('agents.onAll') : t('agents.onResources', { count: resources.length })}</li>
          <li>{t.rich('agents.until', { time: <Moment visit={visit} at={until} /> })}</li>
          <li>
            <a href={`${base}/approvals/${id}`}>
              {t('agents.whatFor')}
              <About name={agent.name} />
            </a>
          </li>
        </ul>
      </div>
      <div class="row-end">
        <AccountForm visit={visit} path="/account/agents/end" hidden={{ task: id }}>
          <Button kind="danger" isSmall>
            {t('agents.endNow')}
            <About name={agent.name} />
          </Button>
        </AccountForm>
      </div>
    </div>
  );
}
