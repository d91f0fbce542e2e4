/** `report.json`: that the schema and `result.ts` state the same, and that reports are what the schema says. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { renderJson } from './json.ts';
import { redactReport } from './redact.ts';
import type { Level, Report } from '../run/result.ts';
import schema from './report.schema.json' with { type: 'json' };
import { hostileReport, sampleReport, sampleResult } from './sample.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

function errorsOf(report: unknown): string[] {
  validate(JSON.parse(JSON.stringify(report)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('schema', () => {
  it('accepts a report with every status', () => {
    expect(errorsOf(JSON.parse(renderJson(sampleReport())))).toEqual([]);
  });

  it('accepts a run that could check nothing', () => {
    expect(errorsOf(sampleReport({ verdict: 'inconclusive', reason: 'Unreachable.', requirements: [] }))).toEqual([]);
  });

  it('accepts a redacted report, also with a secret that is a status', () => {
    const secrets = ['pass', 'POST', 'core', '42', '201'];
    expect(errorsOf(redactReport(sampleReport(), secrets))).toEqual([]);
  });

  const broken: [string, (report: any) => void][] = [
    ['an unknown property', (report) => (report.extra = 1)],
    ['an unknown property of a requirement', (report) => (report.requirements[0].extra = 1)],
    ['a verdict without a reason', (report) => delete report.reason],
    ['an unknown status', (report) => (report.requirements[0].status = 'known')],
    ['a failure without evidence', (report) => (report.requirements[0].status = 'fail')],
    ['a skip without a reason', (report) => (report.requirements[0].status = 'skip')],
    ['a pass with evidence', (report) => Object.assign(report.requirements.find(isFailure), { status: 'pass' })],
    ['line 0', (report) => (report.requirements[0].clause.line = 0)],
    ['a pointer that is none', (report) => (report.requirements[0].clause.pointer = '#/paths')],
    ['a missing count', (report) => delete report.summary.disabled],
    ['a negative count', (report) => (report.requests = -1)],
    ['a time that is none', (report) => (report.started_at = 'yesterday')],
    [
      'neither response nor error',
      (report) => (report.requirements.find(isFailure).failure.exchanges[0].response = null),
    ],
  ];
  it.each(broken)('refuses %s', (_, breakIt) => {
    const report = structuredClone(sampleReport());
    breakIt(report);
    expect(errorsOf(report)).not.toEqual([]);
  });

  it('has no open object', () => {
    const open = objectsIn(schema).filter(
      (object) => object['type'] === 'object' && !('additionalProperties' in object),
    );
    expect(open).toEqual([]);
  });
});

function isFailure(result: { failure?: unknown }): boolean {
  return result.failure !== undefined;
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}

describe('renderJson', () => {
  it('keeps every string of the service', () => {
    const report = hostileReport('\u0000\ud800</script>\u2028"\\');
    expect(JSON.parse(renderJson(report))).toEqual(report);
  });
  it('is valid UTF-8', () => expect(renderJson(hostileReport('\ud800')).isWellFormed()).toBe(true));
});

/** `name` for what must be there and `name?` for what need not, `a.b` for what is inside. */
function namesInTypes(): Record<string, string[]> {
  const text = ['../run/result.ts', '../http/session.ts']
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n');
  const source = ts.createSourceFile('report.ts', text, ts.ScriptTarget.ES2022, true);
  const members = (node: ts.Node, prefix: string): string[] => {
    const found: string[] = [];
    node.forEachChild((child) => {
      if (ts.isPropertySignature(child)) {
        const name = prefix + child.name.getText();
        found.push(child.questionToken ? `${name}?` : name);
        if (child.type) found.push(...members(child, `${name}.`));
      } else if (ts.isTypeReferenceNode(child) && child.getText() === 'Record<Status, number>') {
        found.push(...unions['Status']!.map((status) => prefix + status));
      } else found.push(...members(child, prefix));
    });
    return found;
  };
  const names: Record<string, string[]> = {};
  const unions: Record<string, string[]> = {};
  source.forEachChild((node) => {
    if (ts.isTypeAliasDeclaration(node)) {
      unions[node.name.text] = [...node.type.getText().matchAll(/'(\w+)'/gu)].map(([, value]) => value ?? '').sort();
    }
    if (ts.isInterfaceDeclaration(node)) names[node.name.text] = members(node, '').sort();
  });
  // Stated with the operations of a contract.
  return { ...names, ...unions, Level: ['core', 'extended'] satisfies Level[] };
}

function namesInSchema(): Record<string, string[]> {
  const members = (node: AnySchemaObject, prefix: string): string[] => {
    const found: string[] = [];
    for (const [name, property] of Object.entries<AnySchemaObject>(node['properties'] ?? {})) {
      found.push(`${prefix}${name}${node['required']?.includes(name) ? '' : '?'}`);
      found.push(...members(property, `${prefix}${name}.`));
    }
    return found;
  };
  const names: Record<string, string[]> = {};
  for (const [name, definition] of Object.entries<AnySchemaObject>(schema.$defs)) {
    if (definition['enum']) names[name] = [...definition['enum']].sort();
    else if (definition['properties']) names[name] = members(definition, '').sort();
  }
  return names;
}

it('has the names, and the optional ones, of the TypeScript interfaces', () => {
  expect(namesInTypes()['Report']).toContain('summary.disabled');
  // A recorded exchange is what a report shows of it, and more.
  const { RecordedExchange: _, ...types } = namesInTypes();
  expect(namesInSchema()).toEqual(types);
});

it('counts what is there', () => {
  const report: Report = sampleReport();
  expect(report.requirements).toHaveLength(180);
  expect(Object.values(report.summary).reduce((a, b) => a + b)).toBe(180);
  expect(sampleResult('a.b').id).toBe('a.b');
});
