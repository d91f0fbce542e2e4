/** Each style of OpenAPI in queries, paths and forms, read by Express and by the letter. */
import { createServer } from 'node:http';
import express, { type Express } from 'express';
import { expect, test } from 'vitest';
import { runAgainst } from './run.ts';

const LIST = {
  type: 'array',
  minItems: 1,
  maxItems: 3,
  items: { type: 'integer', minimum: 1, maximum: 9 },
};
const OBJECT = {
  type: 'object',
  required: ['least'],
  additionalProperties: false,
  properties: {
    least: { type: 'integer', minimum: 1, maximum: 9 },
    unit: { type: 'string', enum: ['cm', 'in'] },
  },
};
const NESTED = { type: 'object', required: ['size'], properties: { size: OBJECT } };

const isDigit = (text: unknown): boolean => typeof text === 'string' && /^[1-9]$/.test(text);

function isList(value: unknown, most = 3): boolean {
  const items = [value].flat();
  return items.length >= 1 && items.length <= most && items.every(isDigit);
}

function isObject(value: unknown): boolean {
  const { least, unit, ...others } = Object(value) as Record<string, unknown>;
  const isUnit = unit === undefined || unit === 'cm' || unit === 'in';
  return typeof value === 'object' && isDigit(least) && isUnit && Object.keys(others).length === 0;
}

/** The parts of a text between separators. */
const split = (text: unknown, separator: string | RegExp): unknown[] =>
  typeof text === 'string' ? text.split(separator) : [];

/** Names and values in turn as an object. */
function inTurn(parts: readonly unknown[]): Record<string, unknown> | undefined {
  const pairs: [string, unknown][] = [];
  for (let index = 0; index < parts.length; index += 2) {
    pairs.push([String(parts[index]), parts[index + 1]]);
  }
  const names = new Set(pairs.map(([name]) => name));
  return names.size === pairs.length ? Object.fromEntries(pairs) : undefined;
}

interface Style {
  schema: object;
  style: string;
  explode: boolean;
  /** Whether the fields of a query or a form, as a library has parsed them, are right. */
  isRight: (fields: Record<string, unknown>) => boolean;
}

/** By the path of its operations. */
const STYLES: Readonly<Record<string, Style>> = {
  'form-exploded': {
    schema: LIST,
    style: 'form',
    explode: true,
    isRight: ({ v }) => isList(v),
  },
  form: {
    schema: LIST,
    style: 'form',
    explode: false,
    isRight: ({ v }) => isList(split(v, ',')),
  },
  'form-object': {
    schema: OBJECT,
    style: 'form',
    explode: false,
    isRight: ({ v }) => isObject(inTurn(split(v, ','))),
  },
  space: {
    schema: LIST,
    style: 'spaceDelimited',
    explode: false,
    isRight: ({ v }) => isList(split(v, ' ')),
  },
  'space-exploded': {
    schema: LIST,
    style: 'spaceDelimited',
    explode: true,
    isRight: ({ v }) => isList(v),
  },
  pipe: {
    schema: LIST,
    style: 'pipeDelimited',
    explode: false,
    isRight: ({ v }) => isList(split(v, '|')),
  },
  'pipe-exploded': {
    schema: LIST,
    style: 'pipeDelimited',
    explode: true,
    isRight: ({ v }) => isList(v),
  },
  deep: {
    schema: OBJECT,
    style: 'deepObject',
    explode: true,
    isRight: ({ v }) => isObject(v),
  },
};

/** In queries alone: in a form, services read differently what is nested. */
const NESTED_STYLE: Style = {
  schema: NESTED,
  style: 'deepObject',
  explode: true,
  isRight: ({ v }) => isObject(Object(v)['size']),
};

const responses = { 200: { description: 'right' }, 400: { description: 'wrong' } };

const inQuery = (name: string, { schema, style, explode }: Style) => ({
  operationId: `${name}Query`,
  parameters: [{ name: 'v', in: 'query', required: true, style, explode, schema }],
  responses,
});

const inForm = (name: string, { schema, style, explode }: Style) => ({
  operationId: `${name}Form`,
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', required: ['v'], properties: { v: schema } },
        encoding: { v: { style, explode } },
      },
    },
  },
  responses,
});

function contract(): string {
  const paths: Record<string, object> = { '/nested': { get: inQuery('nested', NESTED_STYLE) } };
  for (const [name, style] of Object.entries(STYLES)) {
    paths[`/${name}`] = { get: inQuery(name, style), post: inForm(name, style) };
  }
  const info = { title: 'Styles', version: '1' };
  return JSON.stringify({ openapi: '3.1.0', info, paths });
}

/** A service that keeps the contract. @param lax the style whose rules it does not check */
function service(lax?: string): Express {
  const app = express();
  app.set('query parser', 'extended');
  app.use(express.urlencoded({ extended: true }));
  for (const [name, { isRight }] of Object.entries({ ...STYLES, nested: NESTED_STYLE })) {
    const statusOf = (fields: unknown): number => {
      const given = Object(fields) as Record<string, unknown>;
      const isTaken = name === lax ? given['v'] !== undefined : isRight(given);
      return isTaken ? 200 : 400;
    };
    app.get(`/${name}`, (request, response) => {
      response.sendStatus(statusOf(request.query));
    });
    app.post(`/${name}`, (request, response) => {
      response.sendStatus(statusOf(request.body));
    });
  }
  return app;
}

const resultsOn = (app: Express, options: readonly string[] = []) =>
  runAgainst(createServer(app), contract(), ['--runs', '2', ...options]);

test('a service that reads each style by a library has no failure, and each is tried', async () => {
  const { code, broken, passed } = await resultsOn(service());
  expect([code, broken]).toEqual([0, []]);
  const lists = Object.keys(STYLES).filter((name) => STYLES[name]!.schema === LIST);
  const due = lists.flatMap((name) => [
    `${name}Query.query.v.maxItems`,
    `${name}Query.query.v.*.maximum`,
    `${name}Form.body.v.maxItems`,
    `${name}Form.body.v.*.maximum`,
  ]);
  const ofObjects = ['form-object', 'deep'].flatMap((name) => [
    `${name}Query.query.v.required.least`,
    `${name}Query.query.v.unit.enum`,
    `${name}Query.query.v.additionalProperties`,
  ]);
  const nested = ['nestedQuery.query.v.size.least.maximum'];
  expect([...due, ...ofObjects, ...nested].filter((id) => !passed.includes(id))).toEqual([]);
});

test.each(['form', 'space', 'pipe', 'deep'])(
  'rules of %s that nobody checks are found',
  async (name) => {
    const { code, broken } = await resultsOn(service(name), ['--path', `/${name}`]);
    expect(code).toBe(1);
    expect(broken.some((id) => id.startsWith(`${name}Query.query.v.`))).toBe(true);
    expect(broken.some((id) => id.startsWith(`${name}Form.body.v.`))).toBe(true);
  },
);
