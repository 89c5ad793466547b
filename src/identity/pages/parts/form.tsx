import type { ComponentChildren } from 'preact';

/** What is wrong with one field; `''` is the form as a whole. */
export interface FormFault {
  readonly field: string;
  readonly message: string;
}

interface FormProps {
  /** A path of this service. The token in the form is good for this path alone. */
  readonly action: string;
  /** `visitor.csrf`. */
  readonly csrf: (action: string) => string;
  /** Sent along. */
  readonly hidden?: Readonly<Record<string, string | undefined>>;
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A form that only the pages of this service can send, in the browser that they were made for. */
export function Form({ action, csrf, hidden = {}, id, children }: FormProps) {
  const kept = Object.entries(hidden).filter(([, value]) => value !== undefined);
  return (
    <form method="post" action={action} {...(id === undefined ? {} : { id })}>
      <input type="hidden" name="csrf" value={csrf(action)} />
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

/** What went wrong, read out at once and leading to the fields. Nothing where nothing did. */
export function ErrorSummary({ faults }: { readonly faults: readonly FormFault[] }) {
  if (faults.length === 0) return null;
  return (
    <div class="errors" role="alert" id="errors">
      {faults.map(({ field, message }) => (
        <p key={`${field} ${message}`}>{field === '' ? message : <a href={`#${field}`}>{message}</a>}</p>
      ))}
    </div>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'tel' | 'url';
  readonly value?: string | undefined;
  /** As the HTML standard names it: `username`, `current-password`, `one-time-code`. */
  readonly autocomplete: string;
  readonly hint?: ComponentChildren;
  readonly faults?: readonly FormFault[];
  readonly isRequired?: boolean;
  readonly isFirst?: boolean;
  readonly inputMode?: 'email' | 'numeric' | 'tel' | 'text';
  readonly maxLength?: number;
}

interface LabelledProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** Those of the whole form. */
  readonly faults?: readonly FormFault[] | undefined;
  /** The element that is labelled, with what says that it is described, and faulty. */
  readonly children: (described: DescribedProps) => ComponentChildren;
}

type DescribedProps = { readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: 'true' };

/** A label, a hint and the faults of one field, around it. */
export function Labelled({ name, label, hint, faults = [], children }: LabelledProps) {
  const isFaulty = faults.some(({ field }) => field === name);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <Hint name={name} hint={hint} />
      {children({ ...describedBy(name, hint, isFaulty), ...(isFaulty ? { 'aria-invalid': 'true' } : {}) })}
      <Faults name={name} faults={faults} />
    </div>
  );
}

/** What names the hint and the faults of a field for screen readers, where there are any. */
export function describedBy(name: string, hint: ComponentChildren, isFaulty: boolean) {
  const ids = [...(hint === undefined ? [] : [`${name}-hint`]), ...(isFaulty ? [`${name}-error`] : [])];
  return ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') };
}

export function Hint({ name, hint }: { readonly name: string; readonly hint: ComponentChildren }) {
  if (hint === undefined) return null;
  return (
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
  );
}

/** Those of one field, among the faults of a form. */
export function Faults({ name, faults }: { readonly name: string; readonly faults: readonly FormFault[] }) {
  const own = faults.filter(({ field }) => field === name);
  if (own.length === 0) return null;
  return (
    <p class="fault" id={`${name}-error`}>
      {own.map(({ message }) => message).join(' ')}
    </p>
  );
}

/** A labelled input. Where it has faults, they are said when it gets the focus, which the first that has some gets. */
export function Field({ name, label, type = 'text', value, autocomplete, hint, faults = [], ...more }: FieldProps) {
  const faulty = faults.find(({ field }) => field !== '')?.field;
  return (
    <Labelled name={name} label={label} hint={hint} faults={faults}>
      {(described) => (
        <input
          id={name}
          name={name}
          // one of several types that take text: the library's types want to know which, because of roles
          type={type as 'text'}
          autocomplete={autocomplete}
          maxlength={more.maxLength ?? 256}
          required={more.isRequired ?? true}
          autofocus={faulty === undefined ? (more.isFirst ?? false) : faulty === name}
          {...(value === undefined ? {} : { value })}
          {...(more.inputMode === undefined ? {} : { inputMode: more.inputMode })}
          {...(type === 'text' && autocomplete.includes('name') ? { spellcheck: false } : {})}
          {...described}
        />
      )}
    </Labelled>
  );
}

interface ButtonProps {
  readonly children: ComponentChildren;
  /** One of a page is the main one. */
  readonly kind?: 'main' | 'other' | 'danger' | 'plain';
  /** What is sent where a form has several buttons. */
  readonly name?: string;
  readonly value?: string;
  readonly id?: string;
  readonly type?: 'submit' | 'button';
  /** Sends the form even where a field is empty that is needed otherwise. */
  readonly skipsChecks?: boolean;
  /** Beside a line of a list. */
  readonly isSmall?: boolean;
}

export function Button({ children, kind = 'main', type = 'submit', skipsChecks, isSmall, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind}${isSmall ? ' small' : ''}`}
      {...rest}
      {...(skipsChecks ? { formNoValidate: true } : {})}
    >
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  readonly href: string;
  /** One of a page is the main one. */
  readonly kind?: 'main' | 'other';
  readonly children: ComponentChildren;
}

/** A link that looks like a button: it leads somewhere and changes nothing. */
export function ButtonLink({ href, kind = 'other', children }: ButtonLinkProps) {
  return (
    <a class={`button ${kind}`} href={href}>
      {children}
    </a>
  );
}

/** Good news: it has the focus, so that screen readers say it first. */
export function Notice({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="notice" role="status" tabIndex={-1} autofocus>
      {children}
    </p>
  );
}
