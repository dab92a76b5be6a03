/** An address as it may be shown: as it was typed, without a login in it and without what follows `?` or `#`. */
export const shownAddress = (typed: string): string =>
  typed.replace(/(^|\/\/)[^/?#]*@/, '$1').replace(/[?#].*$/, '')
