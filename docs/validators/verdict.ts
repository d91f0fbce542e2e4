/** Whether a validator passes, and may be believed. */
import type { Accepted, Finding, Validator, ValidatorResult } from './validator.ts';

export interface Verdict {
  rules: number | undefined;
  /** What is wrong with the contract. */
  findings: Finding[];
  /** How many findings are let stand. */
  accepted: number;
  /** What is wrong with the validator; none where its result counts. */
  faults: string[];
}

const matches = (one: Accepted, { rule, text }: Finding): boolean => one.rule === rule && text.includes(one.text ?? '');

/**
 * A validator that holds the contract to no rule, or does not find an error that was made on purpose, has not validated it; a finding that is let stand and
 * does not come is a stale excuse.
 * @param broken what it finds in a copy of the contract with an error
 */
export function verdictOf(
  { accepted }: Pick<Validator, 'accepted'>,
  result: ValidatorResult,
  broken: ValidatorResult,
): Verdict {
  const standing = (findings: readonly Finding[]) =>
    findings.filter((finding) => !accepted.some((one) => matches(one, finding)));
  const findings = standing(result.findings);
  const faults: string[] = [];
  if (result.rules === 0) faults.push('it holds the contract to no rule');
  if (standing(broken.findings).length === 0) faults.push('it does not find an error that was made on purpose');
  for (const one of accepted)
    if (!result.findings.some((finding) => matches(one, finding)))
      faults.push(`it does not find ${one.rule} any more, which is still let stand`);
  return { rules: result.rules, findings, accepted: result.findings.length - findings.length, faults };
}
