import type { DelegationEntry } from '../../../directory/records/index.ts';
import { About, Button, Name } from '../../pages/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { Moment } from '../frame/moment.tsx';

/** A delegation with the name of its agent. */
export interface NamedDelegation extends DelegationEntry {
  readonly agentName: string;
}

interface DelegationListProps {
  readonly visit: AccountVisit;
  readonly delegations: readonly NamedDelegation[];
}

/** Agents that act in this user's name, what they may at most, and the way to take that back. */
export function DelegationList({ visit, delegations }: DelegationListProps) {
  return (
    <>
      <h2>Agents that act for you</h2>
      <p>
        {delegations.length === 0
          ? 'No agent acts for you.'
          : 'Each can do only what is listed here, and only what both you and the agent are allowed to do.'}
      </p>
      <ul class="items">
        {delegations.map((delegation) => (
          <Delegation key={delegation.id} visit={visit} delegation={delegation} />
        ))}
      </ul>
    </>
  );
}

function Delegation({ visit, delegation }: { readonly visit: AccountVisit; readonly delegation: NamedDelegation }) {
  const { id, agentName, document } = delegation;
  const { scopes, resources, createdAt, expiresAt } = document;
  const { locale, zoneinfo: zone } = visit.user.document;
  return (
    <li>
      <h3>
        <Name text={agentName} />
      </h3>
      <p>
        {'At most '}
        <code>{scopes.join(', ')}</code>
      </p>
      {resources === undefined ? null : (
        <ul class="scopes">
          {resources.map((resource) => (
            <li key={resource}>
              <Name text={resource} />
            </li>
          ))}
        </ul>
      )}
      <p class="hint">
        {'Since '}
        <Moment at={createdAt} locale={locale} zone={zone} />
        {', until '}
        <Moment at={expiresAt} locale={locale} zone={zone} />.
      </p>
      <p class="hint">
        {'Id of the delegation, with which the agent gets its tokens: '}
        <code>{id}</code>
      </p>
      <AccountForm visit={visit} path="/account/agents/withdraw" hidden={{ delegation: id }}>
        <Button kind="danger">
          Withdraw
          <About name={agentName} />
        </Button>
      </AccountForm>
    </li>
  );
}
