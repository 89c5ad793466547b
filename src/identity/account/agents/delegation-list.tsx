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
      <h2>Acting for you</h2>
      <p>
        {delegations.length === 0
          ? 'No agent acts for you.'
          : 'They do only what you may do yourself, what they may, and what stands here.'}
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
        <Moment at={expiresAt} locale={locale} zone={zone} />
        {'. The agent asks for tokens with '}
        <code>{id}</code>.
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
