/** The token of services in tests of the suite. Letters of both cases, since mutants change the case. */
export const TOKEN = 'conformance-Self-Test-7fA3';

/** Good for reading alone. */
export const READ_ONLY_TOKEN = 'conformance-Self-Look-2cB9';

/** The tokens that a service asks for, and the suite is given. */
export interface Tokens {
  token: string | undefined;
  readOnlyToken: string | undefined;
}

export const GUARDED: Tokens = { token: TOKEN, readOnlyToken: READ_ONLY_TOKEN };
export const OPEN: Tokens = { token: undefined, readOnlyToken: undefined };
