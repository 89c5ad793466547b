import type { FormFault } from '../../pages/index.ts';

const zones = Intl.supportedValuesOf('timeZone');

interface ZoneProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly faults: readonly FormFault[];
}

/** Every zone that there is, and the one that was chosen under a name that is no longer listed. */
export function ZoneField({ name, label, value, faults }: ZoneProps) {
  const own = faults.filter(({ field }) => field === name);
  const options = value === undefined || value === '' || zones.includes(value) ? zones : [value, ...zones];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {own.length === 0 ? null : (
        <p class="fault" id={`${name}-error`}>
          {own.map(({ message }) => message).join(' ')}
        </p>
      )}
      <select
        id={name}
        name={name}
        {...(own.length === 0 ? {} : { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-error` })}
      >
        <option value="">Not said</option>
        {options.map((zone) => (
          <option key={zone} value={zone} selected={zone === value}>
            {zone}
          </option>
        ))}
      </select>
    </div>
  );
}
