import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface PanelProps {
  readonly id: string;
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What belongs together, under a heading: rows, or a list. */
export function Panel({ id, title, hint, children }: PanelProps) {
  return (
    <section class="panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      <div class="rows">{children}</div>
    </section>
  );
}

interface RowProps {
  readonly title: ComponentChildren;
  readonly icon?: IconName;
  /** What it is now. */
  readonly value?: ComponentChildren;
  /** What stands at its end, such as a link. */
  readonly children?: ComponentChildren;
}

/** One thing, and what it is. */
export function Row({ title, icon, value, children }: RowProps) {
  return (
    <div class="row">
      <Told title={title} icon={icon} value={value} />
      {children === undefined ? null : <div class="row-end">{children}</div>}
    </div>
  );
}

function Told({ title, icon, value }: Pick<RowProps, 'title' | 'value'> & { readonly icon: IconName | undefined }) {
  return (
    <>
      {icon === undefined ? null : (
        <span class="row-icon">
          <Icon name={icon} />
        </span>
      )}
      <div class="row-text">
        <h3>{title}</h3>
        {value === undefined ? null : <div class="row-value">{value}</div>}
      </div>
    </>
  );
}

interface OpeningRowProps extends RowProps {
  readonly id: string;
  readonly isOpen?: boolean;
  /** What opens it, such as `Edit`. */
  readonly action: ComponentChildren;
  /** What closes it again. */
  readonly close: string;
  /** Where it can be opened, if not here. */
  readonly elsewhere?: string | undefined;
}

/** The same with more in it, mostly a form. Browsers open it without a script. */
export function OpeningRow(props: OpeningRowProps) {
  const { id, title, icon, value, isOpen = false, action, close, elsewhere, children } = props;
  if (elsewhere !== undefined) {
    return (
      <Row title={title} value={value} {...(icon === undefined ? {} : { icon })}>
        <a class="button other small" href={elsewhere}>
          {action}
        </a>
      </Row>
    );
  }
  return (
    <details class="row" id={id} open={isOpen}>
      <summary>
        <Told title={title} icon={icon} value={value} />
        <span class="row-end button other small">
          <span class="when-closed">{action}</span>
          <span class="when-open">{close}</span>
        </span>
      </summary>
      <div class="row-inside">{children}</div>
    </details>
  );
}

/** A word about something, such as that it is this device. */
export function Badge({ kind = 'plain', children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

interface BadgeProps {
  readonly kind?: 'plain' | 'good' | 'count';
  readonly children: ComponentChildren;
}

interface EmptyProps {
  readonly children: ComponentChildren;
}

/** Where a list has nothing. */
export function Empty({ children }: EmptyProps) {
  return <p class="empty">{children}</p>;
}

interface ConfirmProps {
  /** What opens the question. */
  readonly action: ComponentChildren;
  /** What is asked, or what would happen. */
  readonly question: ComponentChildren;
  /** The form that does it. */
  readonly children: ComponentChildren;
}

/** Asks before something is taken away. */
export function Confirm({ action, question, children }: ConfirmProps) {
  return (
    <details class="confirm">
      <summary class="button danger small">{action}</summary>
      <div class="confirm-inside">
        <p>{question}</p>
        {children}
      </div>
    </details>
  );
}
