import type { ComponentChildren } from 'preact';
import { durationText, timeLeft } from '../../directory/elevations/index.ts';
import type { Reply } from '../../http/index.ts';
import { type AccountVisit, accountPage, Moment } from '../account/index.ts';
import { Button, Choice, Choices, Field, Form, type FormFault, Lines, Name, Select } from '../pages/index.ts';
import { type ApprovalRequest, seenOf } from './request.ts';
import { Purpose, ScopeDetails, WhoAsks } from './request-parts.tsx';
import { type Decision, LINES_LENGTH_MAX, REASON_LENGTH_MAX } from './wish.ts';

interface AskingView {
  readonly request: ApprovalRequest;
  /** Where the forms go: the page itself. */
  readonly action: string;
  /** Whether a second factor must be proved before anything can be approved here. */
  readonly mustProve: boolean;
  /** What was sent and not done, so that it need not be chosen again. */
  readonly sent?: Decision | undefined;
  readonly faults?: readonly FormFault[] | undefined;
  /** Slugs that the agent has added since the page was shown; absent where the page was not shown before. */
  readonly news?: ReadonlySet<string> | undefined;
}

/** Shows all that an agent asks for, and lets a person lend it, less of it, or nothing. */
export function askingPage(visit: AccountVisit, asking: AskingView): Reply<never> {
  const { request, faults, news, mustProve } = asking;
  const { view, now } = request;
  const { locale, zoneinfo: zone } = visit.user.document;
  const title = news === undefined ? 'An agent asks for permissions' : 'This request has changed';
  return accountPage(
    visit,
    { room: '/account/approvals', title, faults, ...(news === undefined ? {} : { status: 409 }) },
    <>
      {news === undefined ? null : <News news={news} />}
      <p>
        <WhoAsks agent={view.agent} />, asks for permissions of yours for one task. Whatever you approve, it does with
        your rights. It loses a permission when the time is over, or when you lose it yourself.
      </p>
      <p>
        {`${timeLeft(view.expiresAt, now)} left to decide, until `}
        <Moment at={view.expiresAt} locale={locale} zone={zone} />.
      </p>
      <Purpose description={view.description} />
      <h2>What it could do</h2>
      {mustProve ? <ProveForm visit={visit} asking={asking} /> : <ApproveForm visit={visit} asking={asking} />}
      <h2>Deny it</h2>
      <DecisionForm visit={visit} asking={asking} id="deny">
        <Field
          name="reason"
          label="Reason"
          value={asking.sent?.reason ?? ''}
          autocomplete="off"
          hint="Optional. The agent gets it, and administrators can read it."
          isRequired={false}
          maxLength={REASON_LENGTH_MAX}
        />
        <Button kind="danger" name="decision" value="deny">
          Deny
        </Button>
      </DecisionForm>
    </>,
  );
}

interface PartProps {
  readonly visit: AccountVisit;
  readonly asking: AskingView;
}

function News({ news }: { readonly news: ReadonlySet<string> }) {
  return (
    <p class="caution" role="alert">
      {'Nothing was lent. '}
      {news.size === 0
        ? 'A name or description on this page has changed.'
        : 'While the page was open, the agent changed its request. What has changed is marked as new.'}
      {' Look at it again before you decide.'}
    </p>
  );
}

interface DecisionFormProps extends PartProps {
  readonly id: string;
  readonly children: ComponentChildren;
}

function DecisionForm({ visit, asking: { request, action }, id, children }: DecisionFormProps) {
  const { view } = request;
  const hidden = { account: visit.user.id, digest: view.digest, seen: seenOf(view) };
  return (
    <Form action={action} csrf={visit.visitor.csrf} hidden={hidden} id={id}>
      {children}
    </Form>
  );
}

function ProveForm({ visit, asking }: PartProps) {
  const { request } = asking;
  return (
    <DecisionForm visit={visit} asking={asking} id="prove">
      <ul class="items">
        {request.view.scopes.map(({ slug, name }) => (
          <li key={slug}>
            <h3>
              <Name text={name ?? slug} />
            </h3>
            <ScopeDetails request={request} slug={slug} />
          </li>
        ))}
      </ul>
      <Asked request={request} />
      <p>Your organization wants a second factor for this. Then you come back here and can approve.</p>
      <Button name="decision" value="prove">
        Continue with a second factor
      </Button>
    </DecisionForm>
  );
}

/** What cannot be chosen yet. */
function Asked({ request: { view } }: { readonly request: ApprovalRequest }) {
  return (
    <>
      {view.resources === undefined ? null : (
        <>
          <p>On these resources:</p>
          <ul class="scopes">
            {view.resources.map((resource) => (
              <li key={resource}>
                <Name text={resource} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p>{`For ${durationText(view.seconds)}.`}</p>
    </>
  );
}

function ApproveForm({ visit, asking }: PartProps) {
  const { request, sent, faults = [], news } = asking;
  const { view, lendable } = request;
  return (
    <DecisionForm visit={visit} asking={asking} id="approve">
      <Choices name="scopes" legend="Permissions" hint="Clear what the agent does not need." faults={faults}>
        {view.scopes.map(({ slug, name }) => {
          const isLendable = lendable.has(slug);
          return (
            <Choice
              key={slug}
              name="scope"
              value={slug}
              label={
                <>
                  <Name text={name ?? slug} />
                  {news?.has(slug) ? <strong class="new">New</strong> : null}
                </>
              }
              isChecked={isLendable && (sent === undefined || sent.scope.includes(slug))}
              isBarred={!isLendable}
            >
              {isLendable ? null : (
                <p class="fault">You do not hold this permission yourself, so you cannot lend it.</p>
              )}
              <ScopeDetails request={request} slug={slug} />
            </Choice>
          );
        })}
      </Choices>
      <Resources view={view} sent={sent} faults={faults} />
      <Select
        name="seconds"
        label="For how long"
        value={sent?.seconds || String(view.seconds)}
        options={lengthsOf(view.seconds)}
        hint={`The agent asks for ${durationText(view.seconds)}.`}
      />
      <Button name="decision" value="approve">
        Approve
      </Button>
    </DecisionForm>
  );
}

interface ResourcesProps {
  readonly view: ApprovalRequest['view'];
  readonly sent: Decision | undefined;
  readonly faults: readonly FormFault[];
}

function Resources({ view, sent, faults }: ResourcesProps) {
  if (view.resources === undefined) {
    return (
      <Lines
        name="only"
        label="Only for these resources"
        value={sent?.only ?? ''}
        hint="The agent asks for all. To allow fewer, write one per line, such as document:plan."
        maxLength={LINES_LENGTH_MAX}
        faults={faults}
      />
    );
  }
  return (
    <Choices name="resources" legend="Resources" faults={faults}>
      {view.resources.map((resource, place) => (
        <Choice
          key={resource}
          name="resource"
          value={String(place)}
          label={<Name text={resource} />}
          isChecked={sent === undefined || sent.resource.includes(String(place))}
        />
      ))}
    </Choices>
  );
}

const lengths = [60, 300, 900, 1800, 3600, 7200, 14_400, 28_800];

/** What was asked for, and what is shorter. */
function lengthsOf(asked: number) {
  return [...lengths.filter((seconds) => seconds < asked), asked].map((seconds) => ({
    value: String(seconds),
    text: durationText(seconds),
  }));
}
