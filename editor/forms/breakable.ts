/** Allows a line break after each `_`, which long device names need in a narrow dialog. */
export const breakable = (name: string): (string | JQuery)[] =>
  name.split(/(?<=_)/).flatMap((part, index) => (index ? [$('<wbr>'), part] : [part]))
