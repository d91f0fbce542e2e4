/** A service that conforms to the contract beside it, written from its text alone. */
import { isObject, type Json, jsonOf } from '../../mutation/operator.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../../service.ts';

const TYPE = 'application/vnd.shapes+json';

const isWhole = (value: unknown): value is number => Number.isInteger(value);
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && [...value].length <= most;
const isPoint = (value: unknown) =>
  isObject(value) && isWhole(value['x']) && isWhole(value['y']) && Object.keys(value).length === 2;

/** Whether a value is right, by its name. */
type Rules = Record<string, (value: any) => boolean>;

const COMMON: Rules = {
  kind: (kind) => typeof kind === 'string' && Object.hasOwn(SIZES, kind),
  colour: (colour) => isText(colour, 20) && !['', 'none', 'transparent'].includes(colour),
  note: (note) => isText(note, 30),
  weight: (weight) => typeof weight === 'number' && Number.isInteger(weight * 2) && weight > 0 && weight < 100,
  size: (size) => (isWhole(size) ? size >= 1 && size <= 9 : isText(size, 1) && /^[SML]$/.test(size)),
};

/** The property that each kind needs, beside the common ones. */
const SIZES: Record<string, Rules> = {
  circle: { radius: (radius) => isWhole(radius) && radius >= 1 },
  square: { side: (side) => isWhole(side) && side >= 1 },
  path: { points: (points) => Array.isArray(points) && points.length >= 2 && points.every(isPoint) },
};

/** A name whose value is wrong, missing or unknown. */
function wrongIn(body: Json): string | undefined {
  const { kind } = body;
  const rules: Rules = { ...COMMON, ...(typeof kind === 'string' && SIZES[kind]) };
  const needed = Object.keys(rules).filter((name) => name === 'kind' || !Object.hasOwn(COMMON, name));
  return [...needed, ...Object.keys(body)].find(
    (name) => !Object.hasOwn(body, name) || !Object.hasOwn(rules, name) || !rules[name]!(body[name]),
  );
}

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
    const sent: unknown = jsonOf({ body });
    if (!isObject(sent)) return refuse(422, 'The body is not an object.');
    const wrong = wrongIn(sent);
    if (wrong !== undefined) return refuse(422, `This is wrong: ${wrong}.`);
    const shape = { colour: 'black', ...sent, name: name ?? `s${(++last).toString(16).padStart(6, '0')}` };
    shapes.set(shape.name, shape);
    return respond(name === undefined ? 201 : 200, shape);
  };
}

function respond(status: number, value: unknown, type = TYPE): ServiceResponse {
  return { status, headers: { 'content-type': type }, body: JSON.stringify(value) };
}

const refuse = (status: number, title: string) => respond(status, { title }, 'application/problem+json; charset=utf-8');
