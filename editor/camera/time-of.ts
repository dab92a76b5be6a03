/** The time of day in the language of the editor. */
export const timeOf = (milliseconds: number): string =>
  new Date(milliseconds).toLocaleTimeString(RED.i18n.lang(), { hour12: false })
