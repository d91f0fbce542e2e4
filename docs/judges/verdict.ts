/** What a judge's findings amount to. */
import type { Accepted, Finding, Judge, Opinion } from './judge.ts';

export interface Verdict {
  rules: number | undefined;
  /** What is wrong with the contract. */
  findings: Finding[];
  /** How many findings are let stand. */
  accepted: number;
  /** What is wrong with the judge; none where its word counts. */
  faults: string[];
}

const matches = (one: Accepted, { rule, text }: Finding): boolean => one.rule === rule && text.includes(one.text ?? '');

/**
 * A judge that holds the contract to no rule, or overlooks a planted fault, has not judged; a finding that is let stand and
 * does not come is a stale excuse.
 * @param planted its opinion of the contract with a fault planted into it
 */
export function verdictOf({ accepted }: Pick<Judge, 'accepted'>, opinion: Opinion, planted: Opinion): Verdict {
  const standing = (findings: readonly Finding[]) =>
    findings.filter((finding) => !accepted.some((one) => matches(one, finding)));
  const findings = standing(opinion.findings);
  const faults: string[] = [];
  if (opinion.rules === 0) faults.push('it holds the contract to no rule');
  if (standing(planted.findings).length === 0) faults.push('it overlooks a planted fault');
  for (const one of accepted)
    if (!opinion.findings.some((finding) => matches(one, finding)))
      faults.push(`it does not find ${one.rule} any more, which is still let stand`);
  return { rules: opinion.rules, findings, accepted: opinion.findings.length - findings.length, faults };
}
