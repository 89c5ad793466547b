import type { TaskView } from '../../directory/elevations/index.ts';
import { systemPermissionText } from '../../kernel/rights/index.ts';
import { type AccountVisit, Moment, ResourceList } from '../account/index.ts';
import { Name, Quoted, SlugAndText } from '../pages/index.ts';
import type { ApprovalRequest } from './request.ts';

type Texts = AccountVisit['t'];

const kinds = {
  ai_assistant: 'approvals.aiAssistant',
  service: 'approvals.service',
  bot: 'approvals.bot',
  integration: 'approvals.integration',
} as const;

interface WhoProps extends Pick<TaskView, 'agent'> {
  readonly t: Texts;
}

/** Which agent it is, and who answers for it. */
export function WhoAsks({ t, agent }: WhoProps) {
  const name = (
    <strong>
      <Name text={agent.name} />
    </strong>
  );
  return <>{t.rich('approvals.whoIs', { agent: name, what: <Whose t={t} agent={agent} /> })}</>;
}

/** What kind of agent it is, and who answers for it. */
export function Whose({ t, agent: { type, ownerName } }: WhoProps) {
  const kind =
    type !== undefined && type in kinds ? t(kinds[type as keyof typeof kinds]) : (type ?? t('approvals.agent'));
  if (ownerName === undefined) return <>{t('approvals.ownerless', { kind })}</>;
  const owner = (
    <strong>
      <Name text={ownerName} />
    </strong>
  );
  return <>{t.rich('approvals.ownedBy', { kind, owner })}</>;
}

/** Why it asks, in its own words. */
export function Purpose({ t, description }: Pick<TaskView, 'description'> & { readonly t: Texts }) {
  return (
    <section class="panel" aria-labelledby="purpose-title">
      <h2 id="purpose-title">{t('approvals.purpose')}</h2>
      <p class="hint">{t('approvals.ownWords')}</p>
      <Quoted text={description} label={t('approvals.purpose')} />
    </section>
  );
}

interface ScopeProps {
  readonly t: Texts;
  readonly request: ApprovalRequest;
  readonly slug: string;
}

/** What one permission would let the agent do, and on what. */
export function ScopeDetails({ t, request, slug }: ScopeProps) {
  const scope = request.view.scopes.find((each) => each.slug === slug);
  return (
    <>
      <SlugAndText slug={slug} name={scope?.name ?? slug} text={systemPermissionText(t, slug) ?? scope?.description} />
      <p class="hint">{reachOf(t, request, slug)}</p>
      {scope?.justification === undefined ? null : (
        <Quoted text={scope.justification} label={t('approvals.reason', { permission: slug })} />
      )}
    </>
  );
}

/** How far one permission reaches, as it was asked for. */
function reachOf(t: Texts, { view: { resources }, types }: ApprovalRequest, slug: string): string {
  const type = types.get(slug);
  if (resources === undefined) {
    return type === undefined ? t('approvals.everywhere') : t('approvals.everyOfType', { type });
  }
  const count = type === undefined ? resources.length : resources.filter((each) => each.startsWith(`${type}:`)).length;
  if (count === 0) return t('approvals.noneOfType', { type: type ?? '' });
  if (count === resources.length) return t('approvals.onlyBelow', { count });
  return t('approvals.onlyBelowOfType', { type: type ?? '' });
}

interface LentProps {
  readonly visit: AccountVisit;
  readonly request: ApprovalRequest;
}

/** What was lent, and until when. */
export function Lent({ visit, request }: LentProps) {
  const { t } = visit;
  const { grant, scopes } = request.view;
  if (grant === undefined) return null;
  return (
    <>
      <ul class="scopes">
        {grant.scopes.map((slug) => {
          const name = scopes.find((each) => each.slug === slug)?.name ?? slug;
          return (
            <li key={slug}>
              {name === slug ? null : (
                <>
                  <Name text={name} />{' '}
                </>
              )}
              <code>{slug}</code>
            </li>
          );
        })}
      </ul>
      {grant.resources === undefined ? (
        <p>{t('approvals.onAll')}</p>
      ) : (
        <>
          <p>{t('approvals.onlyOnThese')}</p>
          <ResourceList resources={grant.resources} />
        </>
      )}
      <p>{t.rich('approvals.untilTime', { time: <Moment visit={visit} at={grant.until} /> })}</p>
    </>
  );
}
