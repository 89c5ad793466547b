import type { DelegationEntry } from '../../../directory/records/index.ts';
import { About, Avatar, Button, Confirm, Empty, Name, Panel } from '../../pages/index.ts';
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
  const { base, t } = visit;
  return (
    <Panel
      id="delegations"
      title={t('agents.delegations')}
      hint={delegations.length === 0 ? undefined : t('agents.delegationsHint')}
    >
      {delegations.length === 0 ? <Empty>{t('agents.delegationsNone')}</Empty> : null}
      {delegations.map((delegation) => (
        <Delegation key={delegation.id} visit={visit} delegation={delegation} />
      ))}
      <p class="rows-end">
        <a class="button other small" href={`${base}/account/agents/add`}>
          {t('agents.delegate')}
        </a>
      </p>
    </Panel>
  );
}

function Delegation({ visit, delegation }: { readonly visit: AccountVisit; readonly delegation: NamedDelegation }) {
  const { t } = visit;
  const { id, agentName, document } = delegation;
  const { scopes, resources, createdAt, expiresAt } = document;
  return (
    <div class="row">
      <Avatar name={agentName} />
      <div class="row-text">
        <h3>
          <Name text={agentName} />
        </h3>
        <p>{t.rich('agents.atMost', { permissions: <code>{scopes.join(', ')}</code> })}</p>
        {resources === undefined ? null : (
          <>
            <p>{t('agents.onlyOn')}</p>
            <ResourceList resources={resources} />
          </>
        )}
        <ul class="facts">
          <li>{t.rich('agents.since', { time: <Moment visit={visit} at={createdAt} /> })}</li>
          <li>{t.rich('agents.until', { time: <Moment visit={visit} at={expiresAt} /> })}</li>
        </ul>
        <p class="hint">{t.rich('agents.delegationId', { id: <code>{id}</code> })}</p>
      </div>
      <Confirm
        action={
          <>
            {t('agents.withdraw')}
            <About name={agentName} />
          </>
        }
        question={t('agents.withdrawQuestion')}
      >
        <AccountForm visit={visit} path="/account/agents/withdraw" hidden={{ delegation: id }}>
          <Button kind="danger" isSmall>
            {t('agents.withdrawNow')}
            <About name={agentName} />
          </Button>
        </AccountForm>
      </Confirm>
    </div>
  );
}

/** Objects, one below the other. */
export function ResourceList({ resources }: { readonly resources: readonly string[] }) {
  return (
    <ul class="scopes">
      {resources.map((resource) => (
        <li key={resource}>
          <Name text={resource} />
        </li>
      ))}
    </ul>
  );
}
