/** SARIF 2.1.0: what is broken, at its line of the contract; known failures are suppressed, errors are warnings. */
import type { Log, Result } from 'sarif';
import type { Report } from '../run/result.ts';
import { isBroken, isExcused } from '../run/verdict.ts';
import { reasonsOf } from './words.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export function renderSarif({ suite, requirements, target }: Report): string {
  const shown = requirements.filter((result) => isBroken(result) || result.status === 'error');
  const results = shown.map((result, ruleIndex): Result => {
    const { id, sentence, failure, known_failure, clause } = result;
    const paragraphs = [sentence, ...reasonsOf(result)];
    if (failure) {
      const { message, expected, got, replay } = failure;
      paragraphs.push(`${message}\nexpected ${expected}\ngot ${got}`, replay);
    }
    const artifactLocation = { uri: encodeURI(clause.file) };
    return {
      ruleId: id,
      ruleIndex,
      level: isBroken(result) ? 'error' : 'warning',
      message: { text: paragraphs.join('\n\n') },
      locations: [{ physicalLocation: { artifactLocation, region: { startLine: clause.line } } }],
      // One alert for one requirement, whichever values show it.
      partialFingerprints: { requirement: id },
      suppressions:
        known_failure && isExcused(result)
          ? [{ kind: 'external', justification: known_failure.reason }]
          : [],
    };
  });
  const rules = shown.map(({ id, sentence, level, origin }) => {
    return { id, shortDescription: { text: sentence }, properties: { level, origin } };
  });
  const driver = { name: suite.name, semanticVersion: suite.version, rules };
  const run = { tool: { driver }, results, properties: { url: target.url } };
  const log: Log = { $schema: SCHEMA, version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}
