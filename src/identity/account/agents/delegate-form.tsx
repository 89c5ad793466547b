import { Button, Choice, Choices, Field, type FormFault, Lines, Name, Select } from '../../pages/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import type { HeldPermission } from './held-permissions.ts';
import { type DelegationForm, daysOffered, LINES_LENGTH_MAX } from './wanted-delegation.ts';

interface DelegateFormProps {
  readonly visit: AccountVisit;
  readonly offered: readonly HeldPermission[];
  /** Whether the user may hold others than those that are offered. */
  readonly hasMore: boolean;
  readonly sent?: DelegationForm | undefined;
  readonly faults: readonly FormFault[];
}

/** Which agent, what it may at most, where, and how long. */
export function DelegateForm({ visit, offered, hasMore, sent, faults }: DelegateFormProps) {
  return (
    <AccountForm visit={visit} path="/account/agents/add" id="delegate">
      <Field
        name="agent"
        label="Agent"
        value={sent?.agent ?? ''}
        autocomplete="off"
        hint="The name or id of the agent. Whoever runs it knows them."
        faults={faults}
      />
      <Choices name="scopes" legend="What it may do at most" faults={faults}>
        {offered.length === 0 ? <p class="hint">You hold no permissions now.</p> : null}
        {offered.map(({ slug, name, description }) => (
          <Choice key={slug} name="scope" value={slug} label={<Name text={name} />} isChecked={isSent(sent, slug)}>
            <p class="hint">
              <code>{slug}</code>
              {description === undefined ? null : (
                <>
                  {': '}
                  <Name text={description} />
                </>
              )}
            </p>
          </Choice>
        ))}
      </Choices>
      {hasMore ? (
        <Lines
          name="others"
          label="Other permissions"
          value={sent?.others ?? ''}
          hint="You may hold more permissions than are shown. Write one per line, such as docs:read."
          maxLength={LINES_LENGTH_MAX}
          faults={faults}
        />
      ) : null}
      <Lines
        name="only"
        label="Only for these resources"
        value={sent?.only ?? ''}
        hint="Optional. Write one per line, such as document:plan. Empty means all."
        maxLength={LINES_LENGTH_MAX}
        faults={faults}
      />
      <Select
        name="days"
        label="For how long"
        value={sent?.days ?? '30'}
        options={daysOffered.map((days) => ({ value: days, text: days === '1' ? 'one day' : `${days} days` }))}
      />
      <Button>Let it act for me</Button>
    </AccountForm>
  );
}

function isSent(sent: DelegationForm | undefined, slug: string): boolean {
  return sent?.scope.includes(slug) === true;
}
