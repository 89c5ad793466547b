import type { TaskView } from '../../../directory/elevations/index.ts';
import { About, Button, Name } from '../../pages/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { Moment } from '../frame/moment.tsx';

/** What agents have of this user's rights now, each with a way to end it. */
export function LentList({ visit, lent }: { readonly visit: AccountVisit; readonly lent: readonly TaskView[] }) {
  return (
    <>
      <h2>Permissions that you have lent</h2>
      <p>
        {lent.length === 0
          ? 'You have lent no permissions now.'
          : 'These agents can use permissions of yours until the time shown.'}
      </p>
      <ul class="items">
        {lent.map((view) => (
          <Lent key={view.id} visit={visit} view={view} />
        ))}
      </ul>
    </>
  );
}

function Lent({ visit, view }: { readonly visit: AccountVisit; readonly view: TaskView }) {
  const { id, agent, grant } = view;
  const { locale, zoneinfo: zone } = visit.user.document;
  if (grant === undefined) return null;
  const { scopes, resources, until } = grant;
  return (
    <li>
      <h3>
        <Name text={agent.name} />
      </h3>
      <p>
        <code>{scopes.join(', ')}</code>
        {resources === undefined ? ' on all resources' : ` on ${countOf(resources)}`}
      </p>
      <p class="hint">
        {'Until '}
        <Moment at={until} locale={locale} zone={zone} />
        {'. '}
        <a href={`${visit.base}/approvals/${id}`}>
          What it was for
          <About name={agent.name} />
        </a>
      </p>
      <AccountForm visit={visit} path="/account/agents/end" hidden={{ task: id }}>
        <Button kind="danger">
          End now
          <About name={agent.name} />
        </Button>
      </AccountForm>
    </li>
  );
}

export function countOf(resources: readonly string[]): string {
  return resources.length === 1 ? 'one resource' : `${resources.length} resources`;
}
