import type { AccountVisit } from '../frame/account-endpoint.ts';
import { Waiting } from '../frame/side.tsx';

const tabs = [
  { tab: 'agents', path: '/account/agents', label: 'agents.yourAgents' },
  { tab: 'requests', path: '/account/approvals', label: 'agents.requests' },
] as const;

interface AgentTabsProps {
  readonly visit: AccountVisit;
  readonly tab: (typeof tabs)[number]['tab'];
}

/** The two pages about agents: what they may, and what they ask for. */
export function AgentTabs({ visit, tab: open }: AgentTabsProps) {
  const { base, t } = visit;
  return (
    <nav class="tabs" aria-label={t('agents.agents')}>
      <ul>
        {tabs.map(({ tab, path, label }) => (
          <li key={tab}>
            <a href={`${base}${path}`} {...(tab === open ? { 'aria-current': 'page' as const } : {})}>
              {t(label)}
              {tab === 'requests' ? <Waiting visit={visit} /> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
