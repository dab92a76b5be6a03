import { formsOf } from './secrets'

/** Login for a gateway in front of the device; the device itself has none. Never shown anywhere. */
export type Login = { user: string; password: string } | { token: string }

/** The value of the header that carries a login. */
export const authorizationOf = (login: Login): string =>
  'token' in login
    ? `Bearer ${login.token}`
    : `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`

/** The parts of a login and its header that must never be shown, in each form in which they are sent. */
export const secretsOf = (login: Login, header: string): string[] =>
  formsOf(header.replace(/^\w+ /, ''), 'token' in login ? login.token : login.password)
