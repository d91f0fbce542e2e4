/** A service that conforms to the contract beside it, written from its text alone. */
import type { Service, ServiceRequest, ServiceResponse } from '../../service.ts';

type Json = Record<string, unknown>;

const TYPE = 'application/vnd.shapes+json';
const SIZE_OF: Record<string, string> = { circle: 'radius', square: 'side', path: 'points' };
const COMMON = ['kind', 'colour', 'note', 'weight', 'size'];

const isWhole = (value: unknown): value is number => Number.isInteger(value);
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (body: Json, name: string) => (Object.hasOwn(body, name) ? body[name] : undefined);
const pointsOf = (body: Json): unknown[] => (Array.isArray(body['points']) ? (body['points'] as unknown[]) : []);

/** Why a body is wrong, by the name of the rule that says so. */
const RULES: Record<string, (body: Json) => boolean> = {
  'kind: one of three': (body) =>
    typeof own(body, 'kind') !== 'string' || !Object.hasOwn(SIZE_OF, body['kind'] as string),
  'colour: a text': ({ colour }) => colour !== undefined && typeof colour !== 'string',
  'colour: not none': ({ colour }) => colour === 'none' || colour === 'transparent',
  'colour: not empty': ({ colour }) => colour === '',
  'colour: at most 20': ({ colour }) => typeof colour === 'string' && [...colour].length > 20,
  'note: a text': ({ note }) => note !== undefined && typeof note !== 'string',
  'note: at most 30': ({ note }) => typeof note === 'string' && [...note].length > 30,
  'weight: a number': ({ weight }) => weight !== undefined && typeof weight !== 'number',
  'weight: halves': ({ weight }) => typeof weight === 'number' && !Number.isInteger(weight * 2),
  'weight: more than 0': ({ weight }) => typeof weight === 'number' && weight <= 0,
  'weight: less than 100': ({ weight }) => typeof weight === 'number' && weight >= 100,
  'size: a number or a letter': ({ size }) =>
    size !== undefined &&
    !(isWhole(size) && size >= 1 && size <= 9) &&
    !(typeof size === 'string' && /^[SML]$/.test(size)),
  'its own size': (body) => own(body, SIZE_OF[String(body['kind'])] ?? '') === undefined,
  'radius: a number of at least 1': ({ kind, radius }) =>
    kind === 'circle' && radius !== undefined && !(isWhole(radius) && radius >= 1),
  'side: a number of at least 1': ({ kind, side }) =>
    kind === 'square' && side !== undefined && !(isWhole(side) && side >= 1),
  'points: a list': ({ kind, points }) => kind === 'path' && points !== undefined && !Array.isArray(points),
  'points: at least two': (body) =>
    body['kind'] === 'path' && Array.isArray(body['points']) && pointsOf(body).length < 2,
  'points: of x and y': (body) =>
    body['kind'] === 'path' &&
    pointsOf(body).some(
      (one) => !isObject(one) || !isWhole(own(one, 'x')) || !isWhole(own(one, 'y')) || Object.keys(one).length > 2,
    ),
  'known names': (body) =>
    Object.keys(body).some((name) => !COMMON.includes(name) && name !== SIZE_OF[String(body['kind'])]),
};

export function createShapes(): Service {
  const shapes = new Map<string, Json>();
  let last = 0;
  return async ({ method, target, headers, body }: ServiceRequest): Promise<ServiceResponse> => {
    const path = /^\/shapes(?:\/([^/?]+))?$/.exec(target);
    if (!path) return refuse(404, 'There is no such path.');
    const name = path[1] === undefined ? undefined : decodeURIComponent(path[1]);
    if (name !== undefined && !shapes.has(name)) return refuse(404, 'There is no such shape.');
    if (method === 'GET' && name !== undefined) return respond(200, shapes.get(name));
    if (method === 'DELETE' && name !== undefined) {
      shapes.delete(name);
      return { status: 204, headers: {}, body: '' };
    }
    if (method === 'GET') return respond(200, { shapes: [...shapes.values()] });
    if (method !== (name === undefined ? 'POST' : 'PUT')) return refuse(405, 'There is no such method.');
    if (headers['content-type'] !== TYPE) return refuse(415, `Send ${TYPE}.`);
    const sent = parse(body);
    if (!isObject(sent)) return refuse(422, 'The body is not an object.');
    const wrong = Object.keys(RULES).find((rule) => RULES[rule]!(sent));
    if (wrong !== undefined) return refuse(422, wrong);
    const shape = { colour: 'black', ...sent, name: name ?? `s${(++last).toString(16).padStart(6, '0')}` };
    shapes.set(shape.name, shape);
    return respond(name === undefined ? 201 : 200, shape);
  };
}

function respond(status: number, value: unknown, type = TYPE): ServiceResponse {
  return { status, headers: { 'content-type': type }, body: JSON.stringify(value) };
}

function refuse(status: number, title: string): ServiceResponse {
  return respond(status, { title }, 'application/problem+json; charset=utf-8');
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
