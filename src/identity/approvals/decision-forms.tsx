import type { ComponentChildren } from 'preact';
import { durationIn } from '../../directory/elevations/index.ts';
import { type AccountVisit, ResourceList } from '../account/index.ts';
import { Button, Choice, Choices, Field, Form, type FormFault, Lines, Name, Select } from '../pages/index.ts';
import { type ApprovalRequest, seenOf } from './request.ts';
import { ScopeDetails } from './request-parts.tsx';
import { type Decision, LINES_LENGTH_MAX, REASON_LENGTH_MAX } from './wish.ts';

/** A request on a page that can decide it. */
export interface Asking {
  readonly request: ApprovalRequest;
  /** Where the forms go: the page itself. */
  readonly action: string;
  /** Shows later that this person could decide it now. */
  readonly asked: string;
  /** What was sent and not done, so that it need not be chosen again. */
  readonly sent?: Decision | undefined;
  readonly faults?: readonly FormFault[] | undefined;
  /** Slugs that the agent has added since the page was shown; absent where the page was not shown before. */
  readonly news?: ReadonlySet<string> | undefined;
}

interface PartProps {
  readonly visit: AccountVisit;
  readonly asking: Asking;
}

interface DecisionFormProps extends PartProps {
  readonly id: string;
  readonly children: ComponentChildren;
}

function DecisionForm({ visit, asking: { request, action, asked }, id, children }: DecisionFormProps) {
  const { view } = request;
  const hidden = { account: visit.user.id, digest: view.digest, seen: seenOf(view), asked };
  return (
    <Form action={action} csrf={visit.visitor.csrf} hidden={hidden} id={id}>
      {children}
    </Form>
  );
}

/** What is asked for, where it cannot be chosen from yet. */
export function ProveForm({ visit, asking }: PartProps) {
  const { t } = visit;
  const { request } = asking;
  const { scopes, resources, seconds } = request.view;
  return (
    <DecisionForm visit={visit} asking={asking} id="prove">
      {scopes.map(({ slug, name }) => (
        <div key={slug} class="choice">
          <h3>
            <Name text={name ?? slug} />
          </h3>
          <ScopeDetails t={t} request={request} slug={slug} />
        </div>
      ))}
      {resources === undefined ? null : (
        <>
          <p>{t('approvals.onResources')}</p>
          <ResourceList resources={resources} />
        </>
      )}
      <p>{t('approvals.forTime', { time: durationIn(t, seconds) })}</p>
      <p class="caution">{t('approvals.prove')}</p>
      <Button name="decision" value="prove">
        {t('approvals.proveButton')}
      </Button>
    </DecisionForm>
  );
}

export function ApproveForm({ visit, asking }: PartProps) {
  const { t } = visit;
  const { request, sent, faults = [] } = asking;
  const { scopes, seconds } = request.view;
  return (
    <DecisionForm visit={visit} asking={asking} id="approve">
      <Choices name="scopes" legend={t('approvals.permissions')} hint={t('approvals.permissionsHint')} faults={faults}>
        {scopes.map(({ slug, name }) => (
          <ScopeChoice key={slug} visit={visit} asking={asking} slug={slug} name={name ?? slug} />
        ))}
      </Choices>
      <Resources visit={visit} asking={asking} />
      <Select
        name="seconds"
        label={t('approvals.howLong')}
        value={sent?.seconds || String(seconds)}
        options={lengthsUpTo(seconds).map((each) => ({ value: String(each), text: durationIn(t, each) }))}
        hint={t('approvals.lengthHint', { time: durationIn(t, seconds) })}
        faults={faults}
      />
      <Button name="decision" value="approve">
        {t('approvals.approve')}
      </Button>
    </DecisionForm>
  );
}

function ScopeChoice({ visit, asking, slug, name }: PartProps & { readonly slug: string; readonly name: string }) {
  const { t } = visit;
  const { request, sent, news } = asking;
  const isLendable = request.lendable.has(slug);
  return (
    <Choice
      name="scope"
      value={slug}
      label={
        <>
          <Name text={name} />
          {news?.has(slug) ? <strong class="new">{t('approvals.isNew')}</strong> : null}
        </>
      }
      isChecked={isLendable && (sent === undefined || sent.scope.includes(slug))}
      isBarred={!isLendable}
    >
      {isLendable ? null : <p class="fault">{t('approvals.notHeld')}</p>}
      <ScopeDetails t={t} request={request} slug={slug} />
    </Choice>
  );
}

function Resources({ visit: { t }, asking: { request, sent, faults = [] } }: PartProps) {
  const { resources } = request.view;
  if (resources === undefined) {
    return (
      <Lines
        name="only"
        label={t('approvals.onlyFor')}
        value={sent?.only ?? ''}
        hint={t('approvals.onlyForHint')}
        maxLength={LINES_LENGTH_MAX}
        faults={faults}
      />
    );
  }
  return (
    <Choices name="resources" legend={t('approvals.resources')} faults={faults}>
      {resources.map((resource, index) => (
        <Choice
          key={resource}
          name="resource"
          value={String(index)}
          label={<Name text={resource} />}
          isChecked={sent === undefined || sent.resource.includes(String(index))}
        />
      ))}
    </Choices>
  );
}

const lengths = [60, 300, 900, 1800, 3600, 7200, 14_400, 28_800];

/** What was asked for, and what is shorter. In seconds. */
function lengthsUpTo(asked: number): number[] {
  return [...lengths.filter((seconds) => seconds < asked), asked];
}

/** A form of its own: the key that ends a line must never approve. */
export function DenyForm({ visit, asking }: PartProps) {
  const { t } = visit;
  const { sent } = asking;
  return (
    <DecisionForm visit={visit} asking={asking} id="deny">
      <Button kind="danger" name="decision" value="deny">
        {t('approvals.deny')}
      </Button>
      <details open={(sent?.reason ?? '') !== ''}>
        <summary>{t('approvals.denyReasonAdd')}</summary>
        <Field
          name="reason"
          label={t('approvals.denyReason')}
          value={sent?.reason ?? ''}
          autocomplete="off"
          hint={t('approvals.denyReasonHint')}
          isRequired={false}
          maxLength={REASON_LENGTH_MAX}
        />
      </details>
    </DecisionForm>
  );
}
