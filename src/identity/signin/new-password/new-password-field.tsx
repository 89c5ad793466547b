import type { Settings } from '../../../directory/settings/index.ts';
import type { Texts } from '../../../texts/index.ts';
import { type FormFault, PasswordField } from '../../pages/index.ts';
import type { StrengthCheck } from './strength.ts';

/** What a new password must have, in words. */
export function policyHint(t: Texts, policy: Settings['passwordPolicy']): string {
  const kinds = [
    ...(policy.requireUppercase ? [t('passwords.kindUpper')] : []),
    ...(policy.requireNumbers ? [t('passwords.kindDigit')] : []),
    ...(policy.requireSymbols ? [t('passwords.kindSymbol')] : []),
  ];
  const count = policy.minLength;
  return kinds.length === 0
    ? t('passwords.hintLength', { count })
    : t('passwords.hintKinds', { count, kinds: t.list(kinds) });
}

interface NewPasswordFieldProps {
  readonly t: Texts;
  readonly label: string;
  readonly policy: Settings['passwordPolicy'];
  readonly strength: StrengthCheck;
  /** What is said of it; what it must have where omitted. */
  readonly hint?: string;
  readonly faults: readonly FormFault[];
  readonly isFirst?: boolean;
}

const name = 'password';

/** A field for a new password. How good it is comes with `strength.js`. */
export function NewPasswordField({ t, label, policy, strength, hint, faults, isFirst = false }: NewPasswordFieldProps) {
  const { address, csrf, about } = strength;
  return (
    <PasswordField
      name={name}
      label={label}
      autocomplete="new-password"
      show={t('frame.showPassword')}
      hint={hint ?? policyHint(t, policy)}
      faults={faults}
      isFirst={isFirst}
    >
      <div class="strength" data-strength={address} data-csrf={csrf} data-about={about} data-field={name} hidden>
        <div class="strength-bar" data-level="0" aria-hidden="true">
          <span />
          <span />
          <span />
          <span />
        </div>
        <p class="hint" role="status" />
      </div>
    </PasswordField>
  );
}
