/**
 * Runs again, one after the other, the groups of tests that failed while others ran beside them. What passes alone is
 * unstable: named, but no failure. CI asks for it, so that one race does not hold up a day's work; each is a fault to mend.
 *
 * @param failed the groups that failed
 * @param runAlone resolves with whether a group passed
 * @param wanted false: all of them have failed
 * @returns which groups passed alone, and which failed
 */
export async function secondLook(failed, runAlone, wanted) {
  const unstable = []
  const faulty = []
  for (const group of failed) {
    if (wanted && (await runAlone(group))) unstable.push(group)
    else faulty.push(group)
  }
  return { unstable, faulty }
}
