import type { License } from '../module'
import { noLicense, Refusal } from '../refusal'
import type { Scenario } from '../scenario'

export function assertLicensed(license: License | undefined, scenario: Readonly<Scenario>): void {
  if (!isLicensed(license, scenario)) throw noLicense([license ?? []].flat())
}

/** Whether the scenario leaves at least one of the components. */
export const isLicensed = (license: License | undefined, { license: has }: Readonly<Scenario>): boolean =>
  license === undefined || [license].flat().some((component) => has[component] !== false)

/** @param what beginning of the sentence */
export function assertNoGenicamClient(what: string, { genicam_connected }: Readonly<Scenario>): void {
  if (genicam_connected) throw new Refusal(403, `${what}: locked by a running GigE Vision application`)
}
