/** Paths with several parameters in a segment, styles of paths, and names that no one can check. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const OBJECT = {
  type: 'object',
  required: ['row'],
  additionalProperties: false,
  properties: { row: { type: 'integer', minimum: 1, maximum: 9 }, side: { enum: ['a', 'b'] } },
};
const LIST = {
  type: 'array',
  minItems: 1,
  maxItems: 3,
  items: { type: 'integer', minimum: 1, maximum: 9 },
};

const inPath = (name: string, schema: object, more = {}) => ({
  name,
  in: 'path',
  required: true,
  schema,
  ...more,
});

const get = (operationId: string, ...parameters: object[]) => ({
  get: {
    operationId,
    parameters,
    responses: {
      200: { description: 'right' },
      400: { description: 'wrong' },
      404: { description: 'none' },
    },
  },
});

const CONTRACT = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Parameters', version: '1' },
  paths: {
    '/tiles/{name}.{form}': get(
      'tile',
      inPath('name', { type: 'string', pattern: '^[a-z]{1,4}$' }),
      inPath('form', { type: 'string', enum: ['png', 'gif'] }),
    ),
    '/seats{seat}': get('seat', inPath('seat', OBJECT, { style: 'matrix', explode: true })),
    '/labels/{ids}': get('labels', inPath('ids', LIST, { style: 'label' })),
    '/area': get(
      'area',
      { name: 'at', in: 'query', required: true, schema: OBJECT },
      { name: 'scale', in: 'query', schema: { type: 'number', minimum: 0, maximum: 4 } },
      { name: 'X-At', in: 'header', schema: OBJECT },
    ),
  },
});

function isSeat({ row, side, ...others }: Record<string, string | undefined>): boolean {
  const isSide = side === undefined || side === 'a' || side === 'b';
  return /^[1-9]$/.test(row ?? '') && isSide && Object.keys(others).length === 0;
}

const statusOf = (isRight: boolean): Reply => [isRight ? 200 : 400];

/** As a plain object, which has no member `__proto__`. */
function seatIn(parts: readonly string[], separator: string): Record<string, string> {
  const seat: Record<string, string> = {};
  for (const part of parts) {
    const [name = '', value = ''] = part.split(separator);
    seat[name] = value;
  }
  return seat;
}

function inTurn(parts: readonly string[]): Record<string, string> {
  const seat: Record<string, string> = {};
  for (let index = 0; index < parts.length; index += 2) {
    seat[parts[index] ?? ''] = parts[index + 1] ?? '';
  }
  return seat;
}

/** @param lax the operation that takes everything */
const plain =
  (lax = ''): Handler =>
  ({ path, query, headers }) => {
    const text = decodeURIComponent(path);
    const tile = /^\/tiles\/([^/]*)\.(png|gif)$/.exec(text);
    if (tile) {
      return statusOf(lax === 'tile' || /^[a-z]{1,4}$/.test(tile[1] ?? ''));
    }
    if (text.startsWith('/seats')) {
      const [, ...parts] = text.slice('/seats'.length).split(';');
      return statusOf(lax === 'seat' || isSeat(seatIn(parts, '=')));
    }
    if (text.startsWith('/labels/')) {
      // Examples of OpenAPI 3.0 have dots, those of later versions commas.
      const items = text.slice('/labels/.'.length).split(/[.,]/);
      const isRight = items.length <= 3 && items.every((item) => /^[1-9]$/.test(item));
      return statusOf(lax === 'labels' || (text.startsWith('/labels/.') && isRight));
    }
    if (path !== '/area') {
      return [404];
    }
    // It reads what it knows, as services do, and numbers as libraries do.
    const side = query.get('side') ?? undefined;
    const isPlace = isSeat({ row: query.get('row') ?? undefined, side });
    const isOnce = query.getAll('row').length === 1 && query.getAll('side').length < 2;
    const scales = query.getAll('scale');
    const isScale = scales.every((one) => /^\d*\.?\d+(e[+-]?\d+)?$/i.test(one) && Number(one) <= 4);
    const header = headers['x-at'];
    const isAt = header === undefined || isSeat(inTurn(String(header).split(',')));
    return statusOf(lax === 'area' || (isPlace && isOnce && isScale && scales.length < 2 && isAt));
  };

test('parameters of every style are sent as a plain service reads them', async () => {
  const { code, broken, passed } = await runOn(plain(), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(
    expect.arrayContaining([
      'tile.200',
      'tile.path.name.pattern',
      'seat.200',
      'seat.path.seat.row.maximum',
      'labels.path.ids.maxItems',
      'area.query.scale.maximum',
      'area.header.X-At.additionalProperties',
    ]),
  );
});

test.each([
  ['tile', 'tile.path.name.pattern'],
  ['seat', 'seat.path.seat.additionalProperties'],
  ['labels', 'labels.path.ids.*.maximum'],
  ['area', 'area.query.scale.maximum'],
])('a service that takes everything at %s is found', async (lax, id) => {
  const { code, broken } = await runOn(plain(lax), CONTRACT, ['--only', lax]);
  expect(code).toBe(1);
  expect(broken).toContain(id);
});
