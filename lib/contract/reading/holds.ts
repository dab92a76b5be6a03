/**
 * Whether a rule `field=one|several` holds; of several, all those with `&` between, or those after a `;`. `always` holds
 * whatever the fields are.
 */
export const holds = (rules: string, value: (field: string) => string): boolean =>
  rules === 'always' ||
  rules.split(';').some((together) =>
    together.split('&').every((rule) => {
      const [field = '', values = ''] = rule.trim().split('=')
      return values.split('|').includes(value(field))
    }),
  )
