/** A number that only grows. Counting is one addition; the text of its labels is put together once. */
export class Counter {
  value = 0

  /** @param prefix the line up to its value */
  constructor(private readonly prefix: string) {}

  *lines(): Generator<string> {
    yield `${this.prefix}${this.value}`
  }
}
