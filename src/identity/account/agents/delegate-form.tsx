import { durationIn } from '../../../directory/elevations/index.ts';
import { Button, Choice, Choices, Field, type FormFault, Lines, Name, Select, SlugAndText } from '../../pages/index.ts';
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
  const { t } = visit;
  return (
    <AccountForm visit={visit} path="/account/agents/add" id="delegate">
      <Field
        name="agent"
        label={t('agents.agent')}
        value={sent?.agent ?? ''}
        autocomplete="off"
        hint={t('agents.agentHint')}
        faults={faults}
      />
      <Choices name="scopes" legend={t('agents.mayAtMost')} faults={faults}>
        {offered.length === 0 ? <p class="hint">{t('agents.noPermissions')}</p> : null}
        {offered.map(({ slug, name, description }) => (
          <Choice key={slug} name="scope" value={slug} label={<Name text={name} />} isChecked={isSent(sent, slug)}>
            <SlugAndText slug={slug} name={name} text={description} isHint />
          </Choice>
        ))}
      </Choices>
      {hasMore ? (
        <Lines
          name="others"
          label={t('agents.otherPermissions')}
          value={sent?.others ?? ''}
          hint={t('agents.otherPermissionsHint')}
          maxLength={LINES_LENGTH_MAX}
          faults={faults}
        />
      ) : null}
      <Lines
        name="only"
        label={t('agents.onlyFor')}
        value={sent?.only ?? ''}
        hint={t('agents.onlyForHint')}
        maxLength={LINES_LENGTH_MAX}
        faults={faults}
      />
      <Select
        name="days"
        label={t('agents.howLong')}
        value={sent?.days ?? '30'}
        options={daysOffered.map((days) => ({ value: days, text: durationIn(t, Number(days) * 86_400) }))}
      />
      <Button>{t('agents.delegateNow')}</Button>
    </AccountForm>
  );
}

function isSent(sent: DelegationForm | undefined, slug: string): boolean {
  return sent?.scope.includes(slug) === true;
}
