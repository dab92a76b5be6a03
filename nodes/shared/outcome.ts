/** Message properties to set, by name or path. */
export type Properties = Record<string, unknown>

/** Says that a message goes to another output than the first. */
export class ToOutput {
  constructor(
    /** From 0. */
    readonly output: number,
    readonly properties: Properties,
  ) {}
}

/** Says that the message ends here: nothing is sent. */
export class Nothing {
  constructor(
    /** Why, where that is a failure that Catch has been told of before. */
    readonly error?: unknown,
  ) {}
}

/** How a message ends that the node has worked on. */
export type Outcome = Properties | ToOutput | Nothing
