import type { ComponentChildren } from 'preact';
import { describedBy, Faults, type FormFault, Hint, Labelled } from './form.tsx';

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly label: ComponentChildren;
  readonly isChecked: boolean;
  /** It is shown, and cannot be chosen. */
  readonly isBarred?: boolean;
  /** What is said about it, below its label. */
  readonly children?: ComponentChildren;
}

/** A box to tick, and what it stands for. */
export function Choice({ name, value, label, isChecked, isBarred = false, children }: ChoiceProps) {
  const id = `${name}-${value}`;
  return (
    <div class="choice">
      <label for={id}>
        <input id={id} type="checkbox" name={name} value={value} checked={isChecked} disabled={isBarred} />
        {label}
      </label>
      {children}
    </div>
  );
}

interface ChoicesProps {
  /** Faults of this field are said here. */
  readonly name: string;
  readonly legend: string;
  readonly hint?: ComponentChildren;
  readonly faults?: readonly FormFault[];
  readonly children: ComponentChildren;
}

/** Boxes that belong together. */
export function Choices({ name, legend, hint, faults = [], children }: ChoicesProps) {
  const isFaulty = faults.some(({ field }) => field === name);
  return (
    <fieldset id={name} tabIndex={-1} {...describedBy(name, hint, isFaulty)}>
      <legend>{legend}</legend>
      <Hint name={name} hint={hint} />
      <Faults name={name} faults={faults} />
      {children}
    </fieldset>
  );
}

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly hint?: string;
  readonly faults?: readonly FormFault[];
}

/** One of several. */
export function Select({ name, label, value, options, hint, faults }: SelectProps) {
  return (
    <Labelled name={name} label={label} hint={hint} faults={faults}>
      {(described) => (
        <select id={name} name={name} {...described}>
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface LinesProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly maxLength: number;
  readonly faults: readonly FormFault[];
}

/** Text of several lines. */
export function Lines({ name, label, value, hint, maxLength, faults }: LinesProps) {
  return (
    <Labelled name={name} label={label} hint={hint} faults={faults}>
      {(described) => (
        <textarea id={name} name={name} rows={3} maxlength={maxLength} spellcheck={false} {...described}>
          {value}
        </textarea>
      )}
    </Labelled>
  );
}
