/** The visible control of an input: a TypedInput hides the original. */
export function shownControl(element: JQuery): JQuery {
  const typed = element.next('.red-ui-typedInput-container').find('.red-ui-typedInput-input')
  return typed.length ? typed : element
}
