import { type FormFault, Select } from '../../pages/index.ts';

const zones = Intl.supportedValuesOf('timeZone');

interface ZoneProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  /** What it is called when none is chosen. */
  readonly none: string;
  readonly faults: readonly FormFault[];
}

/** Every zone that there is, and the one that was chosen under a name that is no longer listed. */
export function ZoneField({ name, label, value = '', none, faults }: ZoneProps) {
  const listed = value === '' || zones.includes(value) ? zones : [value, ...zones];
  const options = listed.map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));
  return (
    <Select name={name} label={label} value={value} options={[{ value: '', text: none }, ...options]} faults={faults} />
  );
}
