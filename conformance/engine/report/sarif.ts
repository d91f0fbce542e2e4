/**
 * SARIF 2.1.0: what is broken, at its line of the contract; known failures are suppressed, errors
 * are warnings.
 */
import type { Location, Log, ReportingDescriptor, Result, Suppression } from 'sarif';
import type { Report, RequirementResult } from '../run/result.ts';
import { isBroken, isExcused } from '../run/verdict.ts';
import { reasonsOf } from './words.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export function renderSarif({ suite, requirements, target }: Report): string {
  const shown = requirements.filter((result) => isBroken(result) || result.status === 'error');
  const driver = {
    name: suite.name,
    semanticVersion: suite.version,
    rules: shown.map(ruleOf),
  };
  const run = { tool: { driver }, results: shown.map(resultOf), properties: { url: target.url } };
  const log: Log = { $schema: SCHEMA, version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function ruleOf({ id, sentence, level, origin }: RequirementResult): ReportingDescriptor {
  return { id, shortDescription: { text: sentence }, properties: { level, origin } };
}

function resultOf(result: RequirementResult, ruleIndex: number): Result {
  return {
    ruleId: result.id,
    ruleIndex,
    level: isBroken(result) ? 'error' : 'warning',
    message: { text: messageOf(result) },
    locations: [locationOf(result)],
    // One alert for one requirement, whichever values show it.
    partialFingerprints: { requirement: result.id },
    suppressions: suppressionsOf(result),
  };
}

function messageOf(result: RequirementResult): string {
  const { sentence, failure } = result;
  const paragraphs = [sentence, ...reasonsOf(result)];
  if (failure !== undefined) {
    const { message, expected, got, replay } = failure;
    paragraphs.push(`${message}\nexpected ${expected}\ngot ${got}`, replay);
  }
  return paragraphs.join('\n\n');
}

function locationOf({ clause }: RequirementResult): Location {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(clause.file) },
      region: { startLine: clause.line },
    },
  };
}

function suppressionsOf(result: RequirementResult): Suppression[] {
  if (result.known_failure === undefined || !isExcused(result)) {
    return [];
  }
  return [{ kind: 'external', justification: result.known_failure.reason }];
}
