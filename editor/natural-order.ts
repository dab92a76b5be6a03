/** Natural order of names: 2 before 10, ignoring case. */
export const naturally = (one: string, other: string): number =>
  one.localeCompare(other, RED.i18n.lang(), { numeric: true })
