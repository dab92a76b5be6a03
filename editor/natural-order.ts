/** Orders names as people do: 2 before 10, capitals beside small letters. */
export const naturally = (one: string, other: string): number =>
  one.localeCompare(other, RED.i18n.lang(), { numeric: true })
