/** A name that may break after each `_`, as the long ones of the device must in a narrow dialog. */
export const breakable = (name: string): (string | JQuery)[] =>
  name.split(/(?<=_)/).flatMap((part, index) => (index ? [$('<wbr>'), part] : [part]))
