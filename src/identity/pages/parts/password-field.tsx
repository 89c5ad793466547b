import type { ComponentChildren } from 'preact';
import { type FormFault, Labelled } from './form.tsx';
import { Icon } from './icons.tsx';

interface PasswordFieldProps {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: 'current-password' | 'new-password';
  /** What the button is called that shows what was typed. */
  readonly show: string;
  readonly hint?: ComponentChildren;
  readonly faults?: readonly FormFault[];
  readonly isFirst?: boolean;
  readonly isRequired?: boolean;
  /** Below it. */
  readonly children?: ComponentChildren;
}

/** A field for a password. Its button comes with `pages.js`. */
export function PasswordField({ name, label, autocomplete, show, hint, faults = [], ...more }: PasswordFieldProps) {
  const faulty = faults.find(({ field }) => field !== '')?.field;
  return (
    <Labelled name={name} label={label} hint={hint} faults={faults}>
      {(described) => (
        <>
          <div class="password">
            <input
              id={name}
              name={name}
              type="password"
              autocomplete={autocomplete}
              maxlength={256}
              required={more.isRequired ?? true}
              autofocus={faulty === undefined ? (more.isFirst ?? false) : faulty === name}
              spellcheck={false}
              {...described}
            />
            <button type="button" class="reveal" data-reveals={name} aria-label={show} aria-pressed="false" hidden>
              <Icon name="eye" />
            </button>
          </div>
          {more.children}
        </>
      )}
    </Labelled>
  );
}
