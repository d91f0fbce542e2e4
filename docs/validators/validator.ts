/** One outside validator of the contract: a program that others wrote, and that knows the rules of OpenAPI. */

export interface Finding {
  rule: string;
  /** A place in the contract and what is wrong there. */
  text: string;
}

export interface ValidatorResult {
  /** How many rules it holds the contract to; undefined where it does not tell. */
  rules: number | undefined;
  findings: Finding[];
}

/** A finding that is let stand, and why. */
export interface Accepted {
  rule: string;
  /** A part of its text; any text when omitted. */
  text?: string;
  reason: string;
}

export interface Validator {
  name: string;
  version: string;
  /** The programs that it needs on the PATH. */
  needs: readonly string[];
  accepted: readonly Accepted[];
  /**
   * Reads one OpenAPI document.
   * @throws {CommandError} when it cannot be installed or run
   */
  validate(contract: string): Promise<ValidatorResult>;
}
