export const passwordTemplates = ['basic', 'standard', 'strong', 'custom'] as const;

export type PasswordTemplate = (typeof passwordTemplates)[number];

/** What a template decides. */
export interface TemplateValues {
  readonly minLength: number;
  readonly requireUppercase: boolean;
  readonly requireNumbers: boolean;
  readonly requireSymbols: boolean;
}

/** `custom` decides nothing: it is the name of every other combination. */
export const templateValues: Readonly<Record<Exclude<PasswordTemplate, 'custom'>, TemplateValues>> = {
  basic: { minLength: 8, requireUppercase: false, requireNumbers: false, requireSymbols: false },
  standard: { minLength: 10, requireUppercase: true, requireNumbers: true, requireSymbols: false },
  strong: { minLength: 12, requireUppercase: true, requireNumbers: true, requireSymbols: true },
};

/** Whether the values are the ones that the template stands for. */
export function fitsTemplate(template: PasswordTemplate, values: TemplateValues): boolean {
  if (template === 'custom') return true;
  const own = templateValues[template];
  return (Object.keys(own) as (keyof TemplateValues)[]).every((name) => own[name] === values[name]);
}
