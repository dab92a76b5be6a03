import type { License } from '../module'
import { noLicense, Refusal } from '../refusal'
import type { Scenario } from '../scenario'

export function assertLicensed(license: License | undefined, scenario: Readonly<Scenario>): void {
  if (license === undefined) return
  const anyOf = [license].flat()
  if (anyOf.every((component) => scenario.license[component] === false)) throw noLicense(anyOf)
}

/** @param what beginning of the sentence */
export function assertNoGenicamClient(what: string, { genicam_connected }: Readonly<Scenario>): void {
  if (genicam_connected) throw new Refusal(403, `${what}: locked by a running GigE Vision application`)
}
