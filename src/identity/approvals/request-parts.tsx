import type { TaskView } from '../../directory/elevations/index.ts';
import { type AccountVisit, Moment } from '../account/index.ts';
import { Name, Quoted } from '../pages/index.ts';
import type { ApprovalRequest } from './request.ts';

const kinds: Readonly<Record<string, string>> = {
  ai_assistant: 'an AI assistant',
  service: 'a service',
  bot: 'a bot',
  integration: 'an integration',
};

/** Which agent it is, and who answers for it. */
export function WhoAsks({ agent }: Pick<TaskView, 'agent'>) {
  return (
    <>
      <strong>
        <Name text={agent.name} />
      </strong>
      {', '}
      <Whose agent={agent} />
    </>
  );
}

/** What kind of agent it is, and who answers for it. */
export function Whose({ agent: { type, ownerName } }: Pick<TaskView, 'agent'>) {
  return (
    <>
      {type === undefined ? 'an agent' : (kinds[type] ?? type)}
      {ownerName === undefined ? (
        ' without an owner'
      ) : (
        <>
          {' owned by '}
          <strong>
            <Name text={ownerName} />
          </strong>
        </>
      )}
    </>
  );
}

/** Why it asks, in its own words. */
export function Purpose({ description }: Pick<TaskView, 'description'>) {
  return (
    <>
      <h2>What it wants to do</h2>
      <p class="hint">In the agent’s own words. Nobody has checked them.</p>
      <Quoted text={description} label="What the agent wants to do" />
    </>
  );
}

/** What one permission would let the agent do, and on what. */
export function ScopeDetails({ request, slug }: { readonly request: ApprovalRequest; readonly slug: string }) {
  const scope = request.view.scopes.find((each) => each.slug === slug);
  return (
    <>
      <p>
        <code>{slug}</code>
        {scope?.description === undefined ? null : (
          <>
            {': '}
            <Name text={scope.description} />
          </>
        )}
      </p>
      <p class="hint">{reachOf(request, slug)}</p>
      {scope?.justification === undefined ? null : (
        <Quoted text={scope.justification} label={`Why the agent needs ${slug}`} />
      )}
    </>
  );
}

/** How far one permission reaches, as it was asked for. */
function reachOf({ view: { resources }, types }: ApprovalRequest, slug: string): string {
  const type = types.get(slug);
  if (resources === undefined) {
    return type === undefined ? 'Everywhere in your organization.' : `On everything of the type ${type}.`;
  }
  const count = type === undefined ? resources.length : resources.filter((each) => each.startsWith(`${type}:`)).length;
  if (count === 0) return `On none of the resources below: it only concerns the type ${type}.`;
  if (count === resources.length) return count === 1 ? 'Only on the resource below.' : 'Only on the resources below.';
  return `Only on the resources below whose type is ${type}.`;
}

interface LentProps {
  readonly visit: AccountVisit;
  readonly request: ApprovalRequest;
}

/** What was lent, and until when. */
export function Lent({ visit, request }: LentProps) {
  const { grant, scopes } = request.view;
  if (grant === undefined) return null;
  const { locale, zoneinfo: zone } = visit.user.document;
  return (
    <>
      <ul class="scopes">
        {grant.scopes.map((slug) => (
          <li key={slug}>
            <Name text={scopes.find((each) => each.slug === slug)?.name ?? slug} /> <code>{slug}</code>
          </li>
        ))}
      </ul>
      {grant.resources === undefined ? (
        <p>On all resources.</p>
      ) : (
        <>
          <p>Only on these resources:</p>
          <ul class="scopes">
            {grant.resources.map((resource) => (
              <li key={resource}>
                <Name text={resource} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        {'Until '}
        <Moment at={grant.until} locale={locale} zone={zone} />.
      </p>
    </>
  );
}
