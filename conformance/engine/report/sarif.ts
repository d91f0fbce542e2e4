/**
 * SARIF 2.1.0: what is broken, at its line of the contract; known failures are suppressed, errors
 * are warnings.
 */
import type { Location, Log, ReportingDescriptor, Result, Suppression } from 'sarif';
import type { Finding, Report, RequirementResult } from '../run/result.ts';
import { isBroken, isExcused } from '../run/verdict.ts';
import { reasonLines } from './words.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export function renderSarif({ suite, requirements, findings, target }: Report): string {
  const shown = requirements.filter((result) => isBroken(result) || result.status === 'error');
  // A finding that belongs to no requirement has no place in the contract.
  const alone = findings.filter(({ failure }) => failure !== undefined);
  const driver = {
    name: suite.name,
    semanticVersion: suite.version,
    rules: [...shown.map(ruleOf), ...alone.map(({ id, title }) => ruleOfFinding(id, title))],
  };
  const results = [
    ...shown.map(resultOf),
    ...alone.map((finding, index) => resultOfFinding(finding, shown.length + index)),
  ];
  const run = { tool: { driver }, results, properties: { url: target.url } };
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
    properties: propertiesOf(result),
  };
}

function ruleOfFinding(id: string, text: string): ReportingDescriptor {
  return { id, shortDescription: { text } };
}

function resultOfFinding(finding: Finding, ruleIndex: number): Result {
  const { id, title, kind, failure, accepted } = finding;
  const paragraphs = [title, failure?.message ?? '', failure?.got ?? ''];
  const isAccepted = accepted?.expired === false;
  return {
    ruleId: id,
    ruleIndex,
    level: 'error',
    message: { text: paragraphs.join('\n\n') },
    partialFingerprints: { cause: id },
    properties: { kind },
    suppressions: isAccepted ? [{ kind: 'external', justification: accepted.reason }] : [],
  };
}

function messageOf(result: RequirementResult): string {
  const { sentence, failure } = result;
  const paragraphs = [sentence, ...reasonLines(result)];
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
    // In a contract of one line, the pointer alone names the place.
    logicalLocations: [{ fullyQualifiedName: clause.pointer }],
  };
}

/** The kind and the cause of a failure. */
function propertiesOf({ failure }: RequirementResult): Record<string, string> {
  if (failure === undefined) {
    return {};
  }
  return { kind: failure.kind, cause: failure.cause_id };
}

function suppressionsOf(result: RequirementResult): Suppression[] {
  const { known_failure: known, accepted } = result;
  const reason = known?.reason ?? accepted?.reason;
  if (reason === undefined || !isExcused(result)) {
    return [];
  }
  return [{ kind: 'external', justification: reason }];
}
