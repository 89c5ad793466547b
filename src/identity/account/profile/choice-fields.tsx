import { languages } from '../../../texts/index.ts';
import { type FormFault, Select } from '../../pages/index.ts';

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  /** What it is called when none is chosen. */
  readonly none: string;
  readonly faults: readonly FormFault[];
}

interface LanguageProps extends ChoiceProps {
  readonly hint: string;
  /** Of the page. */
  readonly tag: string;
}

/** Where a language is written in other ways, or dates are. */
const regions: readonly string[] = ['en-GB', 'en-US', 'de-AT', 'de-CH', 'de-DE'];

/** Languages that there are texts in, and the one that was chosen elsewhere. */
export function LanguageField({ name, label, value = '', none, hint, tag, faults }: LanguageProps) {
  const spoken = [...Object.keys(languages), ...regions].sort();
  const tags = value === '' || spoken.includes(value) ? spoken : [value, ...spoken];
  const options = tags.map((each) => ({ value: each, text: languageName(each, tag) }));
  return (
    <Select
      name={name}
      label={label}
      value={value}
      options={[{ value: '', text: none }, ...options]}
      hint={hint}
      faults={faults}
    />
  );
}

/** Of a tag that passed the rules of a profile, not every one has a name. */
export function languageName(tag: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames(inLanguage, { type: 'language' }).of(tag) ?? tag;
  } catch (error) {
    if (error instanceof RangeError) return tag;
    throw error;
  }
}

const zones = Intl.supportedValuesOf('timeZone');

/** Every zone that there is, and the one that was chosen under a name that is no longer listed. */
export function ZoneField({ name, label, value = '', none, faults }: ChoiceProps) {
  const listed = value === '' || zones.includes(value) ? zones : [value, ...zones];
  const options = listed.map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));
  return (
    <Select name={name} label={label} value={value} options={[{ value: '', text: none }, ...options]} faults={faults} />
  );
}
